"""The reader of configurations against transformers' own classes and models."""

import pytest

from attncourse.real_model.configuration import family, read
from tests.parity import family_defaults, measure_configurations
from tests.parity import random_configurations as random_ones

FILE = measure_configurations.configurations()


@pytest.mark.parametrize("model", FILE["models"], ids=lambda model: model["name"])
def test_what_was_measured_is_measured_again(model):
    assert measure_configurations.measure(model["config"]) == model["measured"]


def test_defaults_are_those_of_the_classes():
    assert family_defaults.all_defaults() == family.all_defaults()


@pytest.mark.parametrize("name", family.table())
def test_random_configurations_are_right_or_refused(name):
    tried = [random_ones.compare(config) for config in random_ones.some(name, 8)]
    wrong = [found for found in tried if found and found["wrong"]]
    assert not wrong, wrong[0]
    assert any(found and found["right"] for found in tried), tried
    # Not all may be refused, and what has no totals says why.


@pytest.mark.parametrize("name", family.table())
def test_keys_that_are_said_to_change_nothing_change_nothing(name):
    """Of the class's own keys, those that are not read may take another value."""
    config = random_ones.plain(name)
    for key, value in random_ones.other_values(name, config):
        found = random_ones.compare({**config, key: value})
        assert found is None or not found["wrong"], (key, value, found)


@pytest.mark.parametrize("name", family.table())
def test_nulls_are_right_or_refused(name):
    config = random_ones.plain(name)
    for key in {*family.named_keys(family.table()[name])}:
        found = random_ones.compare({**config, key: None})
        assert found is None or not found["wrong"], (key, found)


def test_a_wrong_reader_would_be_seen(monkeypatch):
    """The comparison fails for a reader that takes two norms in each layer for one."""
    config = random_ones.plain("llama")
    assert not random_ones.compare(config)["wrong"]
    monkeypatch.setitem(family.table()["llama"], "norms", 1)
    assert random_ones.compare(config)["wrong"]
    assert read(config).n_parameters is not None
