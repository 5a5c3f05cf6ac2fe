"""Attention in plain Python loops over lists: slow, obvious, and not our code.

Everything takes and gives nested lists without batch dimensions.
"""

import math


def matmul(a, b):
    rows, inner, columns = len(a), len(b), len(b[0])
    product = [[0.0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            for m in range(inner):
                product[i][j] += a[i][m] * b[m][j]
    return product


def project(x, weight, bias=None):
    bias = [0.0] * len(weight[0]) if bias is None else bias
    return [
        [y + b for y, b in zip(row, bias, strict=True)] for row in matmul(x, weight)
    ]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


def sees(i, j, is_causal=False, window=None, query_offset=0):
    """Tell whether query i may see key j."""
    left, right = window or (None, None)
    position = i + query_offset
    if is_causal and j > position:
        return False
    if left is not None and j < position - left:
        return False
    return right is None or j <= position + right


def weights(query, key, allowed=None, added=None, **how):
    """Weights of one head, with every keyword: scale, softcap, window, offset."""
    scale, softcap = how.pop("scale", None), how.pop("softcap", None)
    sink = how.pop("sink", -math.inf)
    scale = 1 / math.sqrt(len(query[0])) if scale is None else scale
    table = []
    for i, q in enumerate(query):
        scores = {}
        for j, k in enumerate(key):
            if sees(i, j, **how) and (allowed is None or allowed[i][j]):
                score = scale * dot(q, k)
                score = (
                    score if softcap is None else softcap * math.tanh(score / softcap)
                )
                scores[j] = score + (0.0 if added is None else added[i][j])
        exps = {j: math.exp(s) for j, s in scores.items()}
        total = sum(exps.values()) + math.exp(sink)
        table.append([exps[j] / total if j in exps else 0.0 for j in range(len(key))])
    return table


def attention(query, key, value, **how):
    return matmul(weights(query, key, **how), value)


def multi_head(x, context, w_query, w_key, w_value, w_output, n_heads, biases, **how):
    """Attend head by head on slices of the columns."""
    b_query, b_key, b_value, b_output = biases
    query = project(x, w_query, b_query)
    key, value = project(context, w_key, b_key), project(context, w_value, b_value)
    d_k = len(w_query) // n_heads
    beside = [[] for _ in x]
    for h in range(n_heads):
        q, k, v = (
            [row[h * d_k : (h + 1) * d_k] for row in a] for a in (query, key, value)
        )
        for row, out in zip(beside, attention(q, k, v, **how), strict=True):
            row.extend(out)
    return project(beside, w_output, b_output)


def layer_norm(x, gain, bias, eps):
    rows = []
    for row in x:
        mean = sum(row) / len(row)
        variance = sum((r - mean) ** 2 for r in row) / len(row)
        spread = math.sqrt(variance + eps)
        rows.append(
            [
                g * (r - mean) / spread + b
                for r, g, b in zip(row, gain, bias, strict=True)
            ]
        )
    return rows


def gelu(x):
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def add(a, b):
    return [
        [p + q for p, q in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)
    ]


def modern_attention(query, key, value, **how):
    """Attention of heads: query head h uses key head h // (heads per key)."""
    group = len(query) // len(key)
    sinks = how.pop("sinks", [-math.inf] * len(query))
    return [
        matmul(weights(q, key[h // group], sink=sinks[h], **how), value[h // group])
        for h, q in enumerate(query)
    ]


def rms_norm(x, gain, eps):
    rows = []
    for row in x:
        root = math.sqrt(sum(r * r for r in row) / len(row) + eps)
        rows.append([g * r / root for r, g in zip(row, gain, strict=True)])
    return rows


def rotary(x, positions, base, rotary_dim, interleaved):
    rows = []
    for row, position in zip(x, positions, strict=True):
        turned = list(row)
        for i in range(rotary_dim // 2):
            a, b = (2 * i, 2 * i + 1) if interleaved else (i, i + rotary_dim // 2)
            angle = position / base ** (2 * i / rotary_dim)
            cos, sin = math.cos(angle), math.sin(angle)
            turned[a] = row[a] * cos - row[b] * sin
            turned[b] = row[a] * sin + row[b] * cos
        rows.append(turned)
    return rows
