"""The button at the foot of a page knows where a report goes, and of which version."""

from attncourse.site.report import button


def test_it_says_where_reports_go_and_of_which_version():
    made = button("owner/course", "", 'Version "1" <x>')
    assert 'data-repository="owner/course" data-mail=""' in made
    assert 'data-version="Version &quot;1&quot; &lt;x&gt;"' in made
    assert " hidden " in made  # until its script is there


def test_a_site_that_names_nobody_has_it_too():
    assert 'data-repository="" data-mail=""' in button(None, "", "")
