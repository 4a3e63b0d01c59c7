/* methods.h - the methods of reference.c.
 *
 * stage: the state after one step and the residual r, given the unknown x. Explicit ones leave x
 * and r alone. P is a body momentum, _h a half-step quantity, Q1 and W1 the end of the step. */
typedef state stage(const body *b, state s, real h, vec x, vec *r);
#define STAGE(name) static state name(const body *b, state s, real h, vec x, vec *r)
#define UNUSED ((void)x, (void)r)

/* W + h/2 J^-1 (JW x W + tau(Q)); Q cay(h W_h); x = W1 */
static state lie_newmark(const body *b, state s, real h, vec x, vec *r, mat map(vec)) {
  vec Wh = add(s.W, mul(h / 2, acceleration(b, s.Q, s.W)));
  mat Q1 = mm(s.Q, map(mul(h, Wh)));
  *r = Jx(b, sub(sub(x, Wh), mul(h / 2, acceleration(b, Q1, x))));
  return (state){Q1, x, s.kept};
}
STAGE(eln) {
  return lie_newmark(b, s, h, x, r, cay);
}
STAGE(eln_exp) {
  return lie_newmark(b, s, h, x, r, Exp);
}

/* x = W1 */
static state trapezoidal(const body *b, state s, real h, vec x, vec *r, mat map(vec)) {
  mat Q1 = mm(s.Q, map(mul(h / 2, add(s.W, x))));
  vec left = add(Jx(b, x), mul(h / 2, sub(cross(x, Jx(b, x)), tau(b, Q1))));
  vec right = add(Jx(b, s.W), mul(h / 2, sub(tau(b, s.Q), cross(s.W, Jx(b, s.W)))));
  *r = sub(left, right);
  return (state){Q1, x, s.kept};
}
STAGE(tln) {
  return trapezoidal(b, s, h, x, r, cay);
}
STAGE(tln_exp) {
  return trapezoidal(b, s, h, x, r, Exp);
}

/* x = Theta */
STAGE(liemid_e1) {
  vec P = Jx(b, s.W);
  mat Q1 = mm(s.Q, Exp(x));
  *r = sub(Jx(b, x), mul(h, mv(Exp(mul(-0.5L, x)), P)));
  return (state){Q1, Ji(b, add(mv(Exp(neg(x)), P), mul(h, tau(b, Q1)))), s.kept};
}

/* x = Theta */
STAGE(liemid_e2) {
  vec P = add(Jx(b, s.W), mul(h, tau(b, s.Q)));
  *r = sub(Jx(b, x), mul(h, mv(Exp(mul(-0.5L, x)), P)));
  return (state){mm(s.Q, Exp(x)), Ji(b, mv(Exp(neg(x)), P)), s.kept};
}

/* x = Theta */
STAGE(liemid_i) {
  mat half = Exp(mul(-0.5L, x));
  vec t = tau(b, mm(s.Q, Exp(mul(0.5L, x)))), P = Jx(b, s.W);
  *r = sub(Jx(b, x), mul(h, add(mv(half, P), mul(h / 2, t))));
  return (state){mm(s.Q, Exp(x)), Ji(b, add(mv(Exp(neg(x)), P), mul(h, mv(half, t)))), s.kept};
}

/* x = W1 */
STAGE(trapm) {
  mat Qh = mm(s.Q, Exp(mul(h / 2, s.W))), Q1 = mm(Qh, Exp(mul(h / 2, x)));
  vec Ph = mv(Exp(mul(-h / 2, s.W)), add(Jx(b, s.W), mul(h / 2, tau(b, s.Q))));
  *r = sub(Jx(b, x), add(mv(Exp(mul(-h / 2, x)), Ph), mul(h / 2, tau(b, Q1))));
  return (state){Q1, x, s.kept};
}

/* x = W_h */
STAGE(prk) {
  vec gyro = cross(x, Jx(b, x));
  mat Q1 = mm(s.Q, cay(mul(h, x)));
  *r = sub(Jx(b, sub(x, s.W)), mul(h / 2, sub(tau(b, s.Q), gyro)));
  return (state){Q1, add(x, mul(h / 2, Ji(b, sub(tau(b, Q1), gyro)))), s.kept};
}

/* x = W_h */
STAGE(mcg) {
  vec P = add(Jx(b, s.W), mul(h / 2, tau(b, s.Q)));
  mat Q1 = mm(s.Q, Exp(mul(h, x)));
  *r = sub(Jx(b, x), mv(Exp(mul(-h / 2, x)), P));
  return (state){Q1, Ji(b, add(mv(Exp(mul(-h, x)), P), mul(h / 2, tau(b, Q1)))), s.kept};
}

/* x = W1 */
STAGE(new3) {
  mat Qh = mm(s.Q, Exp(mul(h / 2, s.W)));
  vec right = add(mv(Exp(mul(-h / 2, s.W)), Jx(b, s.W)), mul(h, tau(b, Qh)));
  *r = sub(mv(Exp(mul(h / 2, x)), Jx(b, x)), right);
  return (state){mm(Qh, Exp(mul(h / 2, x))), x, s.kept};
}

/* x = W_h */
STAGE(vlv) {
  vec gyro = cross(Jx(b, x), x), stretch = mul(h / 2 * dot(x, Jx(b, x)), x);
  mat Q1 = mm(s.Q, cay(mul(h, x)));
  *r = sub(Jx(b, sub(x, s.W)), mul(h / 2, add(sub(gyro, stretch), tau(b, s.Q))));
  return (state){Q1, add(x, mul(h / 2, Ji(b, add(add(gyro, stretch), tau(b, Q1))))), s.kept};
}

/* (1 - t/2 cot(t/2))/t^2, by its series in t^2 where the difference cancels: the next term is below 1e-22 */
static real inverse_tangent_term(real t) {
  static const real c[] = {1 / 12.0L,          1 / 720.0L,
                           1 / 30240.0L,       1 / 1209600.0L,
                           1 / 47900160.0L,    691 / 1307674368000.0L,
                           1 / 74724249600.0L, 3617 / 10670622842880000.0L};
  real sum = 0;
  if (t > 0.1L) return (1 - t / 2 / tanl(t / 2)) / (t * t);
  for (int i = 7; i >= 0; --i) sum = sum * t * t + c[i];
  return sum;
}
/* p - x cross p/2 + c x cross (x cross p): the inverse of the tangent of exp, transposed */
static vec inverse_tangent(vec x, vec p) {
  vec xp = cross(x, p);
  return add(sub(p, mul(0.5L, xp)), mul(inverse_tangent_term(norm(x)), cross(x, xp)));
}
/* the tangent of exp at x: p - (1 - cos t)/t^2 x cross p + (t - sin t)/t^3 x cross (x cross p) */
static vec tangent(vec x, vec p) {
  real t = norm(x), s = sinc(t / 2), cube = 1 / 6.0L;
  if (t > 0.2L) cube = (t - sinl(t)) / (t * t * t);
  else
    for (int i = 9; i >= 1; --i) { /* 1/6 - t^2/120 + ... */
      real term = 1 / 6.0L;
      for (int k = 1; k <= i; ++k) term *= -t * t / ((2 * k + 2) * (2 * k + 3));
      cube += term;
    }
  vec xp = cross(x, p);
  return add(sub(p, mul(s * s / 2, xp)), mul(cube, cross(x, xp)));
}

/* x = xi; a+- = J xi +- h/2 xi cross J xi + c h^2 xi cross (xi cross J xi) */
STAGE(vlv_exp) {
  vec turn = mul(h, x), P = Jx(b, x);
  mat Q1 = mm(s.Q, Exp(turn));
  *r = sub(inverse_tangent(neg(turn), P), add(Jx(b, s.W), mul(h / 2, tau(b, s.Q))));
  return (state){Q1, Ji(b, add(inverse_tangent(turn, P), mul(h / 2, tau(b, Q1)))), s.kept};
}

/* x = xi; J W = T(h xi)^-1 [J xi - h/2 T(h xi/2) tau_mid], J W1 the other end's discrete momentum */
STAGE(var_mid) {
  vec half = mul(h / 2, x), turn = mul(h, x), t = tau(b, mm(s.Q, Exp(half)));
  vec from = inverse_tangent(neg(turn), sub(Jx(b, x), mul(h / 2, tangent(half, t))));
  *r = sub(from, Jx(b, s.W));
  return (state){mm(s.Q, Exp(turn)), Ji(b, add(mv(Exp(neg(turn)), from), mul(h, mv(Exp(neg(half)), t)))), s.kept};
}

/* x = f */
STAGE(lewis_simo) {
  mat Q1 = mm(s.Q, cay(mul(2, x)));
  real scale = h * (1 + dot(x, x)) / 2;
  vec g = mul(h, add(Jx(b, s.W), mul(scale / 2, add(tau(b, s.Q), tau(b, Q1)))));
  *r = sub(add(add(g, cross(g, x)), mul(dot(g, x), x)), mul(2, Jx(b, x)));
  return (state){Q1, sub(mul(2 / scale, x), s.W), s.kept};
}

/* x = W1 */
STAGE(akw) {
  vec P = Jx(b, s.W), P1 = Jx(b, x), Pm = mul(0.5L, add(P, P1));
  mat Q1 = mm(s.Q, cay(mul(h, Ji(b, Pm))));
  vec kick = mul(h / 2, add(tau(b, s.Q), tau(b, Q1)));
  *r = sub(P1, add(add(P, mul(h, cross(Pm, Ji(b, Pm)))), kick));
  return (state){Q1, x, s.kept};
}

/* x = W1 */
STAGE(sw_c1) {
  vec T = mul(h / 2, add(s.W, x));
  vec t = tau(b, mm(s.Q, Exp(mul(0.5L, T))));
  *r = sub(Jx(b, x), add(mv(Exp(neg(T)), Jx(b, s.W)), mul(h, mv(Exp(mul(-0.5L, T)), t))));
  return (state){mm(s.Q, Exp(T)), x, s.kept};
}

/* x = W1 */
STAGE(sw_1) {
  vec Wm = mul(0.5L, add(s.W, x));
  vec t = tau(b, mm(s.Q, Exp(mul(h / 2, Wm))));
  *r = sub(Jx(b, sub(x, s.W)), mul(h, add(cross(Jx(b, Wm), Wm), t)));
  return (state){mm(s.Q, Exp(mul(h, Wm))), x, s.kept};
}

STAGE(sw_e) {
  vec T = mul(h, add(s.W, mul(h / 2, s.kept.A)));
  vec P = add(Jx(b, s.W), mul(h / 2, tau(b, s.Q)));
  mat Q1 = mm(s.Q, Exp(T));
  vec W1 = Ji(b, add(mv(Exp(neg(T)), P), mul(h / 2, tau(b, Q1))));
  UNUSED;
  return (state){Q1, W1, {.A = mul(1 / h, sub(W1, s.W))}};
}

/* x = f */
STAGE(rattle) {
  vec P = add(Jx(b, s.W), mul(h / 2, tau(b, s.Q))), g = mul(h, P);
  mat F = cay(mul(2, x)), Q1 = mm(s.Q, F);
  *r = sub(add(add(g, cross(g, x)), mul(dot(g, x), x)), mul(2, Jx(b, x)));
  return (state){Q1, Ji(b, add(mv(tr(F), P), mul(h / 2, tau(b, Q1)))), s.kept};
}

/* The rescaled Rodrigues maps: spherical inertia j; Ws = QW and m = Q tau in the space frame. To and
 * fro between the frames, they would feel Q's drift off the group, hence orthonormal(). */
static vec moment(const body *b, mat Q) {
  return mv(Q, tau(b, Q));
}

static state rodrigues_verlet(const body *b, state s, real h, bool variational) {
  real j = b->J.v[0];
  vec Ws = mv(s.Q, s.W), m = moment(b, s.Q), G = add(Ws, mul(h / (2 * j), m));
  real factor = variational ? 2 * h / (1 + sqrtl(1 - h * h * dot(G, G))) : h;
  mat Q1 = orthonormal(mm(cay(mul(factor, G)), s.Q));
  vec Ws1 = add(Ws, mul(h / (2 * j), add(m, moment(b, Q1))));
  return (state){Q1, mv(tr(Q1), Ws1), s.kept};
}
STAGE(rrp) {
  return UNUSED, rodrigues_verlet(b, s, h, true);
}
STAGE(rrp_newmark) {
  return UNUSED, rodrigues_verlet(b, s, h, false);
}

STAGE(rrp_euler) {
  vec Ws1 = add(mv(s.Q, s.W), mul(h / b->J.v[0], moment(b, s.Q)));
  mat Q1 = orthonormal(mm(cay(mul(h, Ws1)), s.Q));
  UNUSED;
  return (state){Q1, mv(tr(Q1), Ws1), s.kept};
}

/* x = Q'Ws1 (the new spatial velocity seen from the old body), phi = 1/2 */
STAGE(campello) {
  const real phi = 0.5L;
  vec Ws1 = mv(s.Q, x);
  mat Q1 = orthonormal(mm(cay(mul(h, Ws1)), s.Q));
  vec m = add(mul(phi, moment(b, s.Q)), mul(1 - phi, moment(b, Q1)));
  *r = sub(Ws1, add(mv(s.Q, s.W), mul(h / b->J.v[0], m)));
  return (state){Q1, mv(tr(Q1), Ws1), s.kept};
}

static state kick(const body *b, state s, real h) {
  s.W = add(s.W, mul(h, Ji(b, tau(b, s.Q))));
  return s;
}

/* exact flow of P_i^2/(2 J_i) */
static state turn(const body *b, state s, int i, real h) {
  vec a = V(0, 0, 0);
  a.v[i] = h * s.W.v[i]; /* P_i/J_i = W_i */
  return (state){mm(s.Q, Exp(a)), Ji(b, mv(Exp(neg(a)), Jx(b, s.W))), s.kept};
}

STAGE(split) {
  UNUSED;
  s = kick(b, s, h / 2);
  s = turn(b, turn(b, s, 2, h / 2), 1, h / 2);
  s = turn(b, s, 0, h);
  s = turn(b, turn(b, s, 1, h / 2), 2, h / 2);
  return kick(b, s, h / 2);
}

STAGE(free_exact) {
  body unforced = *b;
  unforced.off = true;
  UNUSED;
  return kick(b, exact(&unforced, kick(b, s, h / 2), h), h / 2);
}

/* Blanes and Moan: b_1 a_1 b_2 a_2 ... and back, kicks b and flights a; half of each, with the middle one where there
 * is one.  Their 15 digits, and those that the order asks for beyond. */
static state blanes_moan(const body *b, state s, real h, const real *kicks, int nkicks, const real *flights, int n) {
  body unforced = *b;
  unforced.off = true;
  for (int i = 0; i < n; ++i) {
    s = kick(b, s, h * kicks[i < nkicks ? i : n - i]);
    s = exact(&unforced, s, h * flights[2 * i < n ? i : n - 1 - i]);
  }
  return kick(b, s, h * kicks[0]);
}
STAGE(bm4) {
  static const real kicks[] = {0.0829844064174050188383L, 0.396309801498368077095L, -0.0390563049223484351709L,
                               0.119524194013150678475L};
  static const real flights[] = {0.245298957184271162604L, 0.604872665711079974961L, -0.350171622895351137565L};
  return UNUSED, blanes_moan(b, s, h, kicks, 4, flights, 6);
}
STAGE(bm6) {
  static const real kicks[] = {0.0414649985182628432988L, 0.198128671918066541137L,   -0.0400061921041526868888L,
                               0.0752539843015803411279L, -0.0115113874206877700624L, 0.236669924786930731388L};
  static const real flights[] = {0.123229775946271151561L,  0.290553797799558270366L, -0.127049212625416915663L,
                                 -0.246331761062075404195L, 0.35720887279592775262L,  0.20477705429147029062L};
  return UNUSED, blanes_moan(b, s, h, kicks, 6, flights, 11);
}
/* Blanes, Casas and Escorihuela-Tomas, the same with their digits. */
STAGE(bce8) {
  static const real kicks[] = {0.0361324604721363134167302L,   0.0126978639610741133816752L,
                               0.201318391240629276109068L,    0.135683350134504233201331L,
                               -0.0579071833999963041504741L,  -0.0772509501792649549463875L,
                               -0.00264758266409925952822161L, -0.0329844384945603065320798L,
                               0.0476781560950366927530646L,   0.237279932834540196295294L};
  static const real flights[] = {0.33754867529131724194244L,   -0.223647977575409990331768L,
                                 0.168949714872223740906385L,  0.171179938816205886154783L,
                                 -0.349765168067292877221145L, 0.52380886100631239771207L,
                                 -0.194208871063049124066395L, -0.323496751337931087309823L,
                                 0.322817287614899749216602L,  0.133628580885448125993701L};
  return UNUSED, blanes_moan(b, s, h, kicks, 10, flights, 19);
}

/* q' = q (0, W)/2 and Euler's equation, q of any length */
typedef struct {
  quat q;
  vec W;
} point;

static point moved(point y, real a, point d) {
  return (point){{y.q.w + a * d.q.w, add(y.q.v, mul(a, d.q.v))}, add(y.W, mul(a, d.W))};
}
static point slope_at(const body *b, point y) {
  vec t;
  qpotential(b, y.q, &t);
  return (point){qmul(y.q, (quat){0, mul(0.5L, y.W)}), Ji(b, add(cross(Jx(b, y.W), y.W), t))};
}
static point point_of(state s) { /* of its matrix at the start */
  return (point){has_quaternion(s) ? s.kept.q : qfrom(s.Q), s.W};
}

STAGE(rk2) {
  point y = point_of(s), k1 = slope_at(b, y), k2 = slope_at(b, moved(y, h, k1));
  y = moved(moved(y, h / 2, k1), h / 2, k2);
  UNUSED;
  return (state){qmat(y.q), y.W, (memory){.q = y.q}};
}

STAGE(rk4) {
  point y = point_of(s), k1 = slope_at(b, y), k2 = slope_at(b, moved(y, h / 2, k1));
  point k3 = slope_at(b, moved(y, h / 2, k2)), k4 = slope_at(b, moved(y, h, k3));
  y = moved(moved(moved(moved(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  UNUSED;
  return (state){qmat(y.q), y.W, (memory){.q = y.q}};
}

STAGE(solution) {
  return UNUSED, exact(b, s, h);
} /* what an adaptive method must tend to as its tolerance does to 0, and one of order 8 at small steps */
