// What the machine computes from what it is given: pure functions on arrays of rows.
// attnlib is the implementation; tests compare each of these with it.
import { dotProductScores, multiply, scaleScores, softmax } from "../kit/maths.js";
import { htmlNode } from "../kit/draw.js";
import { inSum, short } from "./notation.js";

/** Two matrices added up. */
export function plus(a, b) {
  return a.map((row, i) => row.map((x, j) => x + b[i][j]));
}

/** One head: all that lies between the rows X and what it adds to them. A query and a key
 *  that may not meet get the scaled score −∞. Without allowed, all may. R has the rows that
 *  are looked at. */
function attend(X, { WQ, WK, WV, WO }, allowed, R = X) {
  const Q = multiply(X, WQ), K = multiply(R, WK), V = multiply(R, WV);
  const S = dotProductScores(Q, K), D = S.map((row, i) => scaleScores(row, K[0].length)
    .map((score, j) => (!allowed || allowed[i][j] ? score : -Infinity)));
  const A = D.map(softmax), O = multiply(A, V), U = multiply(O, WO);
  return { X, R, WQ, WK, WV, WO, Q, K, V, S, D, A, O, U };
}

/** Heads side by side: C holds their outputs next to each other, WC their W^O one below
 *  another, and Z is what they add to the rows together. */
function sideBySide(X, heads, allowed) {
  const each = heads.map((head) => attend(X, head, allowed));
  const C = X.map((_, i) => each.flatMap(({ O }) => O[i])), WC = heads.flatMap(({ WO }) => WO);
  const Z = multiply(C, WC);
  return each.map((one) => ({ ...one, C, WC, Z }));
}

/** The two products of a network for one row, with max(0, ·) between them. */
export function feedForward(rows, [w1, b1, w2, b2]) {
  const hidden = multiply(rows, w1).map((row) => row.map((x, h) => Math.max(0, x + b1[h])));
  return multiply(hidden, w2).map((row) => row.map((x, j) => x + b2[j]));
}

/** Layers one after another: Y is X and what attention adds, N is Y and what the network
 *  adds, and the next layer's X. */
function inLayers(X, layers, network, allowed, R) {
  const done = [];
  for (const layer of layers) {
    const one = attend(done.length ? done.at(-1).N : X, layer, allowed, R), Y = plus(one.X, one.U);
    done.push({ ...one, Y, N: plus(Y, feedForward(Y, network)) });
  }
  return done;
}

/** Who may look at whom where nobody sees what comes later. */
function pastOnly(n) {
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => j <= i));
}

/** A copy of what is given with a reader's edits, each [block, matrix, row, column, number];
 *  one that does not fit is left out. */
function withEdits(given, choice, edits) {
  const [X, P, R, blocks] = structuredClone([given.rows[choice], given.positions[choice], given.read?.rows[choice], given.blocks]);
  const words = P ? { E: X, P } : R ? { X, R } : { X };
  for (const [block, base, i, j, number] of edits) {
    const matrix = words[base] ?? blocks[block]?.[base];
    if (matrix?.[i]?.length > j) matrix[i][j] = number;
  }
  return { words, blocks };
}

/** All tables of the machine, a set for each head or layer. */
export function runMachine({ given, choice, edits, masked }) {
  const { words, blocks } = withEdits(given, choice, edits), X = words.X ?? plus(words.E, words.P);
  const allowed = masked ? pastOnly(X.length) : undefined;
  if (given.network.length) return inLayers(X, blocks, given.network, allowed, words.R);
  return sideBySide(X, blocks, allowed).map((one) => ({ ...words, ...one }));
}

// The sum that a cell is, in words and numbers: a list of pieces [text, role]. A role
// colors its piece; "raised" raises it.

const VERBS = { Q: "asks for", K: "offers", V: "gives", S: "asks", D: "asks", A: "looks at", O: "takes home", C: "takes home" };
const SPELLED = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const say = inSum;

/** The numbers that are multiplied for one cell of a product, pair by pair. */
export function pairsOf({ base, i, j }, now, factors) {
  const [left, top] = factors[base];
  return now[left][i].map((x, k) => [x, base === "S" ? now.K[j][k] : now[top][k][j]]);
}

/** A sum of products; those of 0 are only counted where there are many. */
function productSum(pairs, roles) {
  const brief = pairs.length > 5, some = pairs.filter(([x, y]) => !brief || x * y);
  const left = pairs.length - some.length, out = some.flatMap(([x, y], n) =>
    [[n ? " + " : ""], [say(x), roles[0]], [" × "], [say(y), roles[1]]]);
  const zeros = left ? `${some.length ? " + " : ""}${SPELLED[left] ?? left} ${left > 1 ? "zeros" : "zero"}` : "";
  return [...out, [`${zeros} = `]];
}

/** e^s ÷ the sum of a row of these. */
function shareSum(scores, j) {
  const powers = scores.map(Math.exp), total = powers.reduce((a, b) => a + b, 0);
  const power = (s) => [["e"], [short(s), "raised"]];
  return [...power(scores[j]), [" ÷ ("], ...scores.flatMap((s, n) => [[n ? " + " : ""], ...power(s)]),
    [`) = ${say(powers[j])} ÷ ${say(total)} = `]];
}

const once = (v) => (v === 1 ? "once" : `${short(v)} times`);

/** All pieces for one cell. names has the names along each kind of axis. */
export function sumOf(at, { now, parts, factors, names, hint }) {
  const { base, i, j } = at, [name, rowKind, columnKind, role] = parts[base], v = now[base][i][j];
  const row = names[rowKind][i], column = names[columnKind][j];
  if (base === "X" && now.P) {
    return [[row, "x"], [`, ${column}: word `], [say(now.E[i][j]), "x"], [" + position "], [say(now.P[i][j]), "x"], [" = "], [say(v), "x"]];
  }
  if (base === "E" || base === "P") return [[row, "x"], [`, ${name}, ${column}: `], [say(v), "x"], [hint]];
  if (base === "X") {
    const [who, where] = factors.K[0] === "X" ? ["query, key and value take", "each matrix"] : ["query takes", "W^Q"];
    return [[row, "x"], [`, ${column}: `], [short(v), "x"], [v ? `. Its ${who} row “${column}” of ${where} ${once(v)}.` : "."]];
  }
  if (base === "R") return [[row, "x"], [`, ${column}: `], [short(v), "x"], [v ? `. Its key and value take row “${column}” of W^K and W^V ${once(v)}.` : "."]];
  if (base.startsWith("W")) {
    const [stem, raised] = name.split("^");
    return [[stem, role], [raised, `${role} raised`], [`, row “${row}”, column “${column}”: `], [short(v), role], [hint]];
  }
  const start = [[row, { K: "key", V: "value" }[base] ?? (base in VERBS ? "query" : "x")],
    [VERBS[base] ? ` ${VERBS[base]} ` : ", "], [column, columnKind === "seen" ? "key" : ""], [": "]];
  const end = [[say(v), role]];
  if (base === "A") return [...start, ...shareSum(now.D[i], j), ...end];
  if (base === "D") return [...start, ...scaledSum(now, i, j, v)];
  const sum = (old, name, added) => [...start, ["row "], [say(old), "x"], [` + ${name} `], [say(added), "value"], [" = "], ...end];
  if (base === "Y") return sum(now.X[i][j], "update", now.U[i][j]);
  if (base === "N") return sum(now.Y[i][j], "network", v - now.Y[i][j]);
  if (!factors[base]) return [...start, ...end];
  return [...start, ...productSum(pairsOf(at, now, factors), factors[base].map((one) => parts[one][3])), ...end];
}

function scaledSum(now, i, j, v) {
  const score = say(now.S[i][j]);
  if (v === -Infinity) return [[`covered. Nobody may look at a word that comes later, so ${score} becomes `], ["−∞", "scores"]];
  return [[score, "scores"], [` ÷ √${now.K[0].length} = `], [say(v), "scores"]];
}

/** The pieces of a sum as nodes: each in its color, and raised where it is. */
export function sumNodes(pieces) {
  return pieces.flatMap(([text, role = ""]) => {
    const [color, raised] = role === "raised" ? ["", true] : [role.split(" ")[0], role.endsWith("raised")];
    const node = color ? htmlNode("b", { className: `mx-${color}`, textContent: text }) : document.createTextNode(text);
    if (!raised) return [node];
    const sup = htmlNode("sup", color ? { className: `mx-${color}` } : {}, color ? htmlNode("b", { textContent: text }) : text);
    return [htmlNode("span", { className: "mx-out", textContent: "^" }), sup];
  });
}

/** A sum as one hears it: what is raised stands in a line with the rest. */
export function inWords(pieces) {
  return pieces.map(([text, role = ""]) => !role.includes("raised") ? text
    : /\d/.test(text) ? ` to the ${text}` : ` ${text}`).join("");
}
