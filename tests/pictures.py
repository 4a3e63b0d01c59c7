"""pictures.py - what the tests of pictures share: is gnuplot there, and is a file the picture that its name says?"""
import shutil
import unittest
import xml.etree.ElementTree as ElementTree

needs_gnuplot = unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot")


def texts_of(path):
    """The texts of an SVG, which parses."""
    root = ElementTree.parse(path).getroot()
    assert root.tag.endswith("svg"), root.tag
    return ["".join(node.itertext()).strip() for node in root.iter() if node.tag.endswith("text")]


def is_png(path):
    with open(path, "rb") as file:
        return file.read(8) == b"\x89PNG\r\n\x1a\n"
