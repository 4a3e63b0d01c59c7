// The view of trajectories: turned by dragging or with the arrow keys, played over time.
(function () {
  "use strict";
  const source = document.getElementById("paths");
  if (!source) return;
  const data = JSON.parse(source.textContent), canvas = document.getElementById("space"), pen = canvas.getContext("2d");
  const slider = document.getElementById("when"), shown = document.getElementById("shown"), play = document.getElementById("play");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const tail = data.bodies > 1 ? Math.max(2, Math.round(data.time.length / 40)) : Infinity; // of a system: a moment
  let yaw = 0.6, pitch = data.ball ? 0.35 : 1, zoom = 1, playing = 0;
  slider.max = data.time.length - 1;
  slider.value = slider.max;

  function ink(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name);
  }
  function shade(colour) { // as the page does it in the dark
    if (!dark.matches) return colour;
    const n = parseInt(colour.slice(1), 16);
    const mix = (v) => Math.round(0.62 * v + 0.38 * 255);
    return "rgb(" + [n >> 16, (n >> 8) & 255, n & 255].map(mix).join(",") + ")";
  }
  function place(p, size, at) { // turned about the vertical, then tilted
    const x = Math.cos(yaw) * p[0] - Math.sin(yaw) * p[1], y = Math.sin(yaw) * p[0] + Math.cos(yaw) * p[1];
    const up = Math.cos(pitch) * p[2] - Math.sin(pitch) * y;
    return [at[0] + (size * x) / data.radius, at[1] - (size * up) / data.radius];
  }
  function line(points, size, at) {
    pen.beginPath();
    points.forEach((p, i) => {
      const q = place(p, size, at);
      if (i) pen.lineTo(q[0], q[1]);
      else pen.moveTo(q[0], q[1]);
    });
    pen.stroke();
  }
  function circle(axis) {
    const points = [];
    for (let i = 0; i <= 72; i++) {
      const a = (i * Math.PI) / 36, p = [0, 0, 0];
      p[(axis + 1) % 3] = data.radius * Math.cos(a);
      p[(axis + 2) % 3] = data.radius * Math.sin(a);
      points.push(p);
    }
    return points;
  }
  function draw() {
    const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    canvas.width = w * ratio;
    canvas.height = h * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    const size = 0.46 * Math.min(w, h) * zoom, at = [w / 2, h / 2], last = Number(slider.value);
    pen.lineWidth = 1;
    pen.strokeStyle = ink("--line");
    if (data.ball) for (let axis = 0; axis < 3; axis++) line(circle(axis), size, at);
    pen.fillStyle = ink("--soft");
    pen.font = "13px system-ui, sans-serif";
    ["x", "y", "z"].forEach((name, axis) => {
      const p = data.origin.slice(), name_at = data.origin.slice();
      p[axis] += data.radius;
      name_at[axis] += 1.06 * data.radius;
      line([data.origin, p], size, at);
      const q = place(name_at, size, at);
      pen.fillText(name, q[0], q[1]);
    });
    pen.lineWidth = 0.9;
    data.paths.forEach((path) => {
      if (!document.getElementById(path.box).checked) return;
      pen.strokeStyle = pen.fillStyle = shade(path.colour);
      pen.globalAlpha = 0.75;
      line(path.points.slice(Math.max(0, last - tail), last + 1), size, at);
      pen.globalAlpha = 1;
      const end = place(path.points[last], size, at);
      pen.beginPath();
      pen.arc(end[0], end[1], data.bodies > 1 ? 3 : 4, 0, 2 * Math.PI);
      pen.fill();
    });
    shown.textContent = "t = " + data.time[last];
    slider.setAttribute("aria-valuetext", shown.textContent);
  }
  function stop() {
    playing = 0;
    play.textContent = "Play";
  }
  function go() {
    if (!playing) return;
    const next = Number(slider.value) + Math.max(1, Math.round(data.time.length / 600));
    slider.value = next;
    draw();
    if (next >= slider.max) stop();
    else requestAnimationFrame(go);
  }
  play.addEventListener("click", () => {
    if (playing) return stop();
    playing = 1;
    play.textContent = "Pause";
    if (slider.value === slider.max) slider.value = 0;
    go();
  });
  slider.addEventListener("input", () => { stop(); draw(); });
  document.querySelectorAll(".view input[type=checkbox]").forEach((box) => box.addEventListener("change", draw));
  let held = null;
  canvas.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("pointermove", (e) => {
    if (!held) return;
    yaw -= (e.clientX - held[0]) * 0.01;
    pitch = Math.max(-1.57, Math.min(1.57, pitch + (e.clientY - held[1]) * 0.01));
    held = [e.clientX, e.clientY];
    draw();
  });
  canvas.addEventListener("keydown", (e) => {
    const turn = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[e.key];
    if (turn) { yaw += turn[0]; pitch = Math.max(-1.57, Math.min(1.57, pitch + turn[1])); }
    else if (e.key === "+") zoom *= 1.1;
    else if (e.key === "-") zoom /= 1.1;
    else return;
    e.preventDefault();
    draw();
  });
  window.addEventListener("resize", draw);
  window.addEventListener("beforeprint", draw);
  dark.addEventListener("change", draw);
  draw();
})();
