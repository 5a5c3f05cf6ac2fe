"""Names of the arrays that the page needs, in the order of their bytes."""

TABLE = "embeddings.word_embeddings.weight"
KIND = "embeddings.token_type_embeddings.weight"
NORM = [f"embeddings.LayerNorm.{part}" for part in ("weight", "bias")]
SHARED = ["embeddings.position_embeddings.weight", KIND, *NORM]
IN_LAYER = [
    f"{place}.{part}"
    for place in (
        *(f"attention.self.{name}" for name in ("query", "key", "value")),
        *("attention.output.dense", "attention.output.LayerNorm"),
        *("intermediate.dense", "output.dense", "output.LayerNorm"),
    )
    for part in ("weight", "bias")
]
