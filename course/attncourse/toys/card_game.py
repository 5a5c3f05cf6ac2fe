"""A card game that needs attention: its rules, a small model, gradients, training.

Cards lie in a row. Each shows a letter and the number of a card. For every card, say
the letter on the card that its number names.
"""

import numpy as np

from attncourse.toys.training import Adam, small_weight, weight_gradient
from attnlib.attention import attention_weights, scaled_dot_product_attention
from attnlib.gradients import attention_vjp
from attnlib.heads import merge_heads, split_heads
from attnlib.probabilities import softmax

N_CARDS, N_LETTERS = 6, 8


def deal(n_rows, rng):
    """Deal rows of cards at random.

    Returns
    -------
    letters, numbers, answers : array of int, (n_rows, N_CARDS)
        Counted from 0. The answer of a card is the letter of the card it names.
    """
    letters = rng.integers(N_LETTERS, size=(n_rows, N_CARDS))
    numbers = rng.integers(N_CARDS, size=(n_rows, N_CARDS))
    return letters, numbers, np.take_along_axis(letters, numbers, axis=-1)


class CardReader:
    """Embed, attend, project to a score for each letter: nothing else.

    Parameters
    ----------
    d_model, n_heads : int
    seed : int
        Of the weights it starts with.
    positions : bool
        Whether a card knows where in the row it lies.
    scale : float, optional
        What the scores are multiplied by; None means 1/√d_k. With 0 all scores are
        equal, so that every card takes a plain mean: no attention.
    """

    def __init__(self, d_model=16, n_heads=1, *, seed=0, positions=True, scale=None):
        rng = np.random.default_rng(seed)
        rows = {"letter": N_LETTERS, "number": N_CARDS, "position": N_CARDS}
        self.params = {k: rng.standard_normal((n, d_model)) for k, n in rows.items()}
        for name in ("w_query", "w_key", "w_value"):
            self.params[name] = small_weight(rng, d_model, d_model)
        self.params["w_letter"] = small_weight(rng, d_model, N_LETTERS)
        if not positions:
            del self.params["position"]
        self.n_heads, self.scale = n_heads, scale

    def embed(self, letters, numbers):
        """Add up what a card shows and where it lies: (..., N_CARDS, d_model)."""
        x = self.params["letter"][letters] + self.params["number"][numbers]
        return x + self.params.get("position", 0)

    def project(self, x):
        """Return the queries, keys and values, each (..., n_heads, n_tokens, d_k)."""
        names = ("w_query", "w_key", "w_value")
        return [split_heads(x @ self.params[name], self.n_heads) for name in names]

    def weights(self, letters, numbers):
        """Return who attends to whom: (..., n_heads, N_CARDS, N_CARDS)."""
        query, key, _ = self.project(self.embed(letters, numbers))
        return attention_weights(query, key, scale=self.scale)

    def __call__(self, letters, numbers):
        """Return the probability of each letter: (..., N_CARDS, N_LETTERS)."""
        projected = self.project(self.embed(letters, numbers))
        heads = scaled_dot_product_attention(*projected, scale=self.scale)
        return softmax(merge_heads(heads) @ self.params["w_letter"])

    def accuracy(self, letters, numbers, answers):
        """Return the share of cards whose likeliest letter is the right one."""
        guesses = self(letters, numbers).argmax(axis=-1)
        return float((guesses == answers).mean())

    def loss_and_gradients(self, letters, numbers, answers):
        """Return the mean of −log p(answer), and its gradient for each parameter."""
        x = self.embed(letters, numbers)
        projected = self.project(x)
        heads = scaled_dot_product_attention(*projected, scale=self.scale)
        output = merge_heads(heads)
        grad_scores = softmax(output @ self.params["w_letter"])
        right = (*np.indices(answers.shape), answers)
        loss = -np.log(grad_scores[right]).mean()
        grad_scores[right] -= 1  # the gradient of −log softmax: p, less 1 at the answer
        grad_scores /= answers.size
        grads = {"w_letter": weight_gradient(output, grad_scores)}
        grad_output = grad_scores @ self.params["w_letter"].T
        grad_heads = split_heads(grad_output, self.n_heads)
        back = attention_vjp(*projected, grad_output=grad_heads, scale=self.scale)
        grad_x = 0
        for name, grad in zip(("w_query", "w_key", "w_value"), back, strict=True):
            grad = merge_heads(grad)
            grads[name] = weight_gradient(x, grad)
            grad_x = grad_x + grad @ self.params[name].T
        return loss, grads | self._embedding_gradients(letters, numbers, grad_x)

    def _embedding_gradients(self, letters, numbers, grad_x):
        """Add up, for each row of each table, the gradients where it was used."""
        places = np.broadcast_to(np.arange(N_CARDS), letters.shape)
        used = {"letter": letters, "number": numbers, "position": places}
        return {
            name: weight_gradient(np.eye(len(self.params[name]))[rows], grad_x)
            for name, rows in used.items()
            if name in self.params
        }


def train(model, n_steps, *, seed=0, n_rows=64, learning_rate=0.01):
    """Train on fresh cards; yield (step, loss) before each step and after the last."""
    rng, adam = np.random.default_rng(seed), Adam(model.params, learning_rate)
    for step in range(n_steps + 1):
        loss, gradients = model.loss_and_gradients(*deal(n_rows, rng))
        yield step, float(loss)
        if step < n_steps:
            adam.step(gradients)
