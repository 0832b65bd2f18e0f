"""Every screen in light and dark mode and both languages: accessibility, and first use."""

from __future__ import annotations

import base64
import json

import httpx
import pytest
from playwright.sync_api import Page

from mandala.games import game_ids
from tests.browser.conftest import WEB, Come
from tests.browser.contrast import readings
from tests.browser.people import Person
from tests.browser.test_games import invited, start
from tests.server.harness import Client, Server

AXE = WEB / "node_modules/axe-core/axe.min.js"
# The page's own font for test pages, so that they look the same on every machine.
_FONT_FILE = base64.b64encode((WEB / "src/look/fonts/text.woff2").read_bytes()).decode()
FONT = (
    "<style>@font-face { font-family: Own; font-weight: 400 800; font-display: block;"
    f" src: url(data:font/woff2;base64,{_FONT_FILE}) }}</style>"
)
# Violations found by axe, as sentences. A digit on a board's button is not an accessible name.
FAULTS = """async () => {
  const { violations } = await axe.run({ resultTypes: ['violations'] })
  const isDrawn = (target) => document.querySelector(target).closest('section.board') !== null
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => id !== 'label-content-name-mismatch' || !isDrawn(target))
      .map(({ html }) => `${id}: ${html.slice(0, 150)}`))
}"""
# Each text whose contrast axe finds too low or cannot judge, including single letters and symbols.
# Text behind a dialog, a notice, the log or a choice is judged without it, because axe compares the
# elements below each line even if an opaque element is in between.
UNDECIDED = """async () => {
  const front = ['dialog[open]', '[data-toast]', '[data-log].sheet', '.chooser']
    .map((each) => document.querySelector(each)).find(Boolean)
  if (front) {
    document.body.style.visibility = 'hidden'
    front.style.visibility = 'visible'
  }
  // The hand of a lesson stays in sight: judged where it covers nothing.
  const hand = document.querySelector('[data-learn] .choosing')
  if (hand) hand.style.position = 'static'
  const { violations, incomplete, passes } = await axe.run({
    runOnly: ['color-contrast'],
    checks: { 'color-contrast': { options: { ignoreLength: true, ignoreUnicode: false } } },
  })
  if (hand) hand.style.position = ''
  if (front) document.body.style.visibility = front.style.visibility = ''
  const texts = (found) => found.flatMap(({ nodes }) => nodes)
  if (!texts(passes).length) return ['axe judged no text']
  return texts([...violations, ...incomplete]).map(({ any: [{ data }], target, html }) =>
    `contrast: ${data.messageKey ?? data.contrastRatio} ${target} ${html.slice(0, 150)}`)
}"""
# Targets smaller than 44 by 44 pixels. A radio button or a switch counts with its label; links
# within a sentence are exempt.
SMALL_TARGETS = """() => [...document.querySelectorAll('a, button, select, summary, input, label')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => !each.matches('.unseen, .skip, label:not(:has(input)), p > a'))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([each, box]) => box.height < 43.5 || box.width < 43.5)
  .map(([each, box]) => `${each.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""


def axe_problems(page: Page) -> list[str]:
    """Run axe; return its violations and the texts whose contrast it cannot judge."""
    page.wait_for_timeout(100)
    page.evaluate(AXE.read_text())
    wrong: list[str] = page.evaluate(FAULTS)
    undecided: list[str] = page.evaluate(UNDECIDED)
    return wrong + undecided


def problems(person: Person) -> list[str]:
    """Return all accessibility problems: axe's, low contrast, small targets, overflow."""
    page = person.page
    wrong = axe_problems(page)
    wrong += [f"faint: {each}" for each in readings(page) if each.contrast < each.needed]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        wrong.append("it scrolls sideways")
    if person.small:
        wrong += [f"small: {each}" for each in page.evaluate(SMALL_TARGETS)]
    return wrong


@pytest.mark.parametrize(("language", "dark", "small"), [("en", False, True), ("de", True, False)])
def test_all_screens_are_accessible(come: Come, language: str, dark: bool, small: bool) -> None:
    person = come(language=language, small=small)
    page, wrong = person.page, dict[str, list[str]]()

    def check(screen: str) -> None:
        if found := problems(person):
            wrong[screen] = found

    page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    assert page.locator("html").get_attribute("lang") == language
    page.locator("details summary").first.click()
    check("home")
    page.keyboard.press("?")
    page.locator("dialog kbd").first.wait_for()
    check("keys")
    for section in (0, 1):
        page.locator("dialog .tabs button").nth(section).click()
        check("settings")
    page.keyboard.press("Escape")

    person.go("/nowhere")
    check("nowhere")
    person.go("/me#x")
    check("personal link")
    person.go("/t/unknown")
    page.get_by_role("heading", level=1).wait_for()
    check("no table")

    for game in game_ids():
        person.go("/")
        start(person, game)
        page.locator("section.board button").first.wait_for()
        check(game)
    if small:
        page.get_by_role("button", name={"en": "What happened", "de": "Verlauf"}[language]).click()
        check("log")
        page.locator("[data-log] button").click()
    page.locator(".actions > button").last.click()
    check("menu")
    page.locator("dialog .warn").click()
    check("resign")
    page.locator("dialog .warn").click()
    page.locator("[data-result]").wait_for()
    check("result")

    person.go(f"/t/{person.state['id']}/replay")
    page.locator("section.board, .board").first.wait_for()
    check("replay")
    person.go("/learn/mandala")
    page.get_by_role("heading", level=1).wait_for()
    check("learn")
    person.go("/rules/flowers")
    page.get_by_role("heading", level=1).wait_for()
    check("rules")

    person.go("/")
    page.locator("[data-card='flowers'] .ways button").first.click()
    page.locator("[data-waiting]").wait_for()
    check("invite")
    person.go("/")
    page.locator("[data-card='flowers'] .ways button").last.click()
    page.locator("[data-curtain]").wait_for()
    check("curtain")
    assert not wrong, json.dumps(wrong, indent=1)


def open_and_play(server: Server, game: str, moves: int) -> str:
    """Open a table of another player, make some moves, and return its id."""
    ada = Client(server, "Ada")
    table: str = ada.open(game, "me", "me", listed=False)["state"]["id"]
    for _ in range(moves):
        actor = ada.http.get(f"/api/tables/{table}").json()["actor"]
        with ada.at(table, seat=actor) as place:
            place.receive()
            assert place.command("move", move=place.state["legal"][-1])["type"] == "done"
    return table


@pytest.mark.parametrize(("language", "dark", "small"), [("de", False, True), ("en", True, False)])
def test_dialogs_and_notices_are_accessible(
    come: Come, server: Server, language: str, dark: bool, small: bool
) -> None:
    person = come(language=language, small=small)
    page, wrong = person.page, dict[str, list[str]]()

    def check(moment: str) -> None:
        if found := problems(person):
            wrong[moment] = found

    page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    page.evaluate("""localStorage.setItem('mandala-prefs', '{"confirm": true}')""")
    page.reload()
    start(person, "flowers", 4)
    person.wait_for_turn()
    page.keyboard.press("h")
    page.locator("[data-toast]").wait_for(timeout=60_000)
    check("notice")
    page.locator("[data-toast] button").click()
    page.locator("[data-stack]").first.click()
    page.locator("[data-target].lit").first.click()
    check("aimed")
    if page.locator("[data-confirm]").is_visible():
        page.locator("[data-confirm]").click()
    page.locator(".bottom .primary").wait_for()
    check("to be confirmed")
    person.context.set_offline(True)
    page.locator(".banner").wait_for()
    check("offline")
    person.context.set_offline(False)
    page.locator(".banner").wait_for(state="detached")
    page.locator("[data-discard]").click()
    check("discards")
    person.go("/")
    page.locator("main section li").first.wait_for()
    check("home with tables")
    # Not a table of bots, which would move meanwhile.
    person.go(f"/t/{open_and_play(server, 'patterns', 6)}")
    person.wait(lambda: person.state["game"] == "patterns", "others to play")
    page.locator("[data-space]").first.wait_for()
    check("watching")
    assert not wrong, json.dumps(wrong, indent=1)


@pytest.mark.parametrize(
    ("palette", "theme", "small"),
    [
        ("sand", "light", True),
        pytest.param("clear", "dark", True, marks=pytest.mark.slow),
        pytest.param("sand", "dark", False, marks=pytest.mark.slow),
        pytest.param("clear", "light", False, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("game", game_ids())
def test_text_on_boards_has_enough_contrast(
    come: Come, game: str, palette: str, theme: str, small: bool
) -> None:
    person = come(small=small)
    look = json.dumps({"palette": palette, "theme": theme})
    person.page.evaluate("look => localStorage.setItem('mandala-prefs', look)", look)
    person.page.reload()
    wrong, measured = dict[str, list[str]](), 0

    def check(moment: str) -> None:
        nonlocal measured
        found = readings(person.page)
        measured += len(found)
        faint = [str(each) for each in found if each.contrast < each.needed]
        if bad := faint + axe_problems(person.page):
            wrong[moment] = bad

    start(person, game, 4)
    check("the beginning")
    taken = chosen = False
    for turn in range(200):
        person.wait_for_turn()
        if person.is_over:
            break
        if turn == 3 and game != "patterns":
            person.page.locator("[data-stack]").first.click()
            check("chosen")
            person.page.keyboard.press("Escape")
        if not taken and any(move[0] == "T" for move in person.state["legal"]):
            person.page.locator("[data-take], [data-claim]").first.wait_for()
            check("taking")
            taken = True
        if game == "patterns" and not chosen and (space := space_with_choices(person)):
            person.page.locator(f"[data-space='{space}']").click()
            person.page.locator(".chooser").wait_for()
            check("choosing")
            person.page.keyboard.press("Escape")
            chosen = True
        if turn == 7 and game != "patterns":
            person.page.locator("button[data-cup], button[data-seat]").first.click()
            check("looking closer")
            person.page.keyboard.press("Escape")
        if turn % 8 == 7:
            check(f"turn {turn}")
        person.move()
    person.page.locator("[data-moments]").wait_for()
    check("the end")
    assert not wrong, json.dumps(wrong, indent=1)
    assert measured > 150


def space_with_choices(person: Person) -> str | None:
    """Return the rightmost space of Patterns on which several moves are possible."""
    spaces = [move[1:] for move in person.state["legal"] if move[0] in "FXO"]
    return max((each for each in spaces if spaces.count(each) > 1), default=None)


def test_low_contrast_is_detected(come: Come) -> None:
    page = come().page
    page.goto("about:blank")
    page.set_content(
        FONT
        + """<body style="background: #fff; font: bold 16px/20px Own">
      <p style="color: #eee">faint</p>
      <p style="color: #000">clear</p>
      <p style="color: #fff; background: linear-gradient(90deg, #000 40%, #eee 60%); width: 160px">
        half of this is hard to read</p>
      <p style="color: #fff; background: linear-gradient(#eee 20px, #000 20px); white-space: pre"
        >two lines\nof one text</p>
      <div style="position: relative"><p style="color: #eee">covered</p>
        <p style="position: absolute; inset: 0; background: #fff; margin: 0">above</p></div>
      <div style="position: relative"><p style="color: #666">partly covered</p>
        <p style="position: absolute; left: 50px; top: 0; background: #555; margin: 0">dark</p>
      </div>
      <div style="position: fixed; left: 0; right: 50%; bottom: 40px; height: 30px;
        background: #000; box-shadow: 0 0 10px 10px #777"></div>
      <p style="position: fixed; left: 0; bottom: 0; white-space: nowrap; color: #666">
        shaded by a notice only in part, and readable where it goes on</p>"""
    )
    found: dict[str, list[float]] = {}
    for each in readings(page):  # one for each line of a text
        found.setdefault(each.text[:7], []).append(each.contrast)
    assert found.keys() == {
        "faint", "clear", "half of", "two lin", "above", "partly ", "dark", "shaded ",
    }  # fmt: skip
    assert found["clear"] == found["above"] == [pytest.approx(21)]
    assert found["faint"] == [pytest.approx(1.16, abs=0.01)]
    assert min(found["half of"]) < 1.3
    assert found["two lin"] == [pytest.approx(1.16, abs=0.01), pytest.approx(21)]
    assert found["partly "] == [pytest.approx(5.74, abs=0.01)]
    assert found["shaded "] == [pytest.approx(5.74, abs=0.1)]


def test_text_that_axe_cannot_judge_is_detected(come: Come) -> None:
    page = come().page
    page.goto("about:blank")
    page.set_content(
        FONT
        + """<body style="background: #fff; font: 16px Own; color: #000">
      <p>clear</p>
      <p style="color: #eee">x</p>
      <p style="background: linear-gradient(90deg, #fff, #eee)">on colours that change</p>
      <div style="position: relative"><p>covered</p>
        <p style="position: absolute; inset: 0; background: #fff; margin: 0">above</p></div>
      <svg width="90" height="40"><text y="20">drawn</text></svg>"""
    )
    found = [each.split()[1] for each in axe_problems(page) if each.startswith("contrast")]
    assert found == ["1.16", "bgGradient", "bgOverlap", "imgNode"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", game_ids())
def test_a_board_fits_on_a_phone_without_scrolling(come: Come, game: str, language: str) -> None:
    person = come(language=language)
    start(person, game, 4)
    person.page.locator("aside button").click()
    for _ in range(8):
        person.wait_for_turn()
        if person.is_over:
            break
        last = person.page.locator("section.board div.hand, section.board .self").bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= 740
        assert person.page.evaluate("document.documentElement.scrollWidth") == 360
        person.move()


def test_a_new_visitor_plays_with_one_tap(come: Come) -> None:
    person = come()
    person.page.locator("[data-card='mandala'] .play").click()
    person.page.locator("[data-stack]").first.wait_for(timeout=10_000)
    person.page.locator("[data-stack]").first.click()
    person.page.locator("[data-target].lit").first.wait_for()


def test_an_illegal_tap_says_why(come: Come) -> None:
    person = come()
    held: list[tuple[str, int]] = []
    while not held:  # now and then no colour in hand lies in a centre
        person.go("/")
        start(person, "mandala")
        held = [each for each in _centres(person) if "C" + each[0] in person.state["legal"]]
    colour, area = held[0]
    person.page.locator(f"[data-stack='{colour}']").click()
    person.page.locator(f"[data-target='B{area}']").click()
    toast = person.page.locator("[data-toast]")
    toast.wait_for()
    said = toast.inner_text().strip()
    assert said in person.page.locator("[data-spoken]").inner_text()


def _centres(person: Person) -> list[tuple[str, int]]:
    return [
        (letter, area + 1)
        for area in (0, 1)
        for letter, count in zip(
            "roygvk", person.state["board"]["mandalas"][area]["centre"][:6], strict=True
        )
        if count
    ]


def test_a_move_can_be_confirmed_or_not(come: Come) -> None:
    person = come()
    person.page.evaluate("localStorage.setItem('mandala-prefs', JSON.stringify({confirm: true}))")
    person.page.reload()
    start(person, "mandala")
    number = person.state["number"]
    move = next(each for each in person.state["legal"] if each[0] == "A")
    person.page.locator(f"[data-stack='{move[2]}']").click()
    person.page.locator(f"[data-target='{move[:2]}']").click()
    person.page.locator(".bottom").wait_for()
    person.page.keyboard.press("Escape")
    person.page.locator(".bottom").wait_for(state="detached")
    assert person.state["number"] == number
    person.page.locator(f"[data-stack='{move[2]}']").click()
    person.page.locator(f"[data-target='{move[:2]}']").click()
    person.page.locator(".bottom .primary").click()
    person.wait(lambda: person.state["number"] > number, "the move")


def test_a_takeback_with_consent(come: Come) -> None:
    host = come()
    guest = invited(come, host, "mandala", language="de")
    host.move()
    guest.wait(lambda: guest.is_on, "their turn")
    number = host.state["number"]
    host.page.keyboard.press("u")
    guest.page.locator(".banner .primary").click()
    host.wait(lambda: host.is_on and host.state["number"] > number, "the move back")
    assert guest.page.title().endswith("Mandala")


def test_a_rematch_begins_when_both_want_it(come: Come) -> None:
    host = come()
    guest = invited(come, host, "patterns")
    first = host.state["id"]
    host.page.locator(".actions > button").last.click()
    host.page.locator("dialog .warn").click()
    host.page.locator("dialog .warn").click()
    for person in (host, guest):
        person.page.locator("[data-result] .primary").click()
    for person in (host, guest):
        person.wait_for_board(other_than=first)
    assert (host.seat, guest.seat) == (2, 1)


def test_a_hint_is_shown(come: Come) -> None:
    person = come()
    start(person, "patterns")
    person.wait_for_turn()
    person.page.keyboard.press("h")
    person.page.locator("[data-toast]").wait_for(timeout=60_000)


def test_an_identity_can_be_moved_to_another_device_and_deleted(come: Come) -> None:
    person = come()
    start(person, "mandala")
    person.go("/")
    person.page.locator("header .name").click()
    person.page.locator("dialog form input").fill("Ada")
    person.page.locator("dialog form button").click()
    person.page.locator("header .name", has_text="Ada").wait_for()
    person.page.locator("dialog section button").first.click()
    link = person.page.locator("dialog section input").input_value()
    other = come(link, small=False)
    other.page.locator("main .primary").click()
    other.page.locator("header .name", has_text="Ada").wait_for()
    other.page.locator("main section li", has_text="Continue").wait_for()
    person.page.locator("dialog .warn").click()
    person.page.locator("dialog .warn").first.click()
    person.page.locator("dialog").wait_for(state="detached")
    other.page.reload()
    other.page.locator("[data-card]").first.wait_for()
    other.page.wait_for_timeout(300)
    assert other.page.locator("header .name").count() == 0


def test_a_stored_choice_that_no_longer_exists_becomes_the_nearest(
    come: Come, server: Server
) -> None:
    person = come()
    once = {"level": {"mandala": 7, "flowers": 0}, "seats": 9, "clock": "blitz"}
    person.page.evaluate("c => localStorage.setItem('mandala-choices', JSON.stringify(c))", once)
    person.page.reload()
    levels = [each for each in httpx.get(f"{server.url}/api/players").json() if ":" in each]
    chosen = person.page.locator("[data-card='mandala'] select").first
    options = chosen.locator("option").all_inner_texts()
    assert [f"search:{each.split()[0]}" for each in options] == levels
    assert f"search:{chosen.input_value()}" == levels[-1]
    assert person.page.locator("[data-card='flowers'] .chosen").inner_text().strip() == "4"
    person.do("[data-card='mandala'] .play")
    person.wait_for_board()


def test_a_friend_watches_bots(come: Come) -> None:
    person = come(small=False)
    page = person.page
    page.locator("[data-card='patterns'] summary").click()
    page.locator("[data-card='patterns'] details button").click()
    person.wait_for_board()
    assert person.seat is None
    number = person.state["number"]
    person.wait(lambda: person.state["number"] > number + 1, "moves of the bots")
    assert person.state["legal"] == []


def test_the_first_screen_is_small_and_fast(come: Come) -> None:
    person = come(small=True)
    person.page.locator("[data-card] .play").first.wait_for()
    sizes: dict[str, int] = person.page.evaluate(
        """() => Object.fromEntries(performance.getEntriesByType('resource')
          .filter((each) => /[.](js|css|woff2)$/.test(each.name))
          .map((each) => [each.name, each.encodedBodySize]))"""
    )
    fonts = [size for name, size in sizes.items() if name.endswith(".woff2")]
    assert len(fonts) == 2
    assert sum(fonts) <= 60_000
    assert 10_000 < sum(sizes.values()) <= 120_000, sizes
    ready: float = person.page.evaluate(
        "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    )
    assert ready < 5_000, "one second on a quiet machine, see docs/adr"


def test_without_a_network_a_message_is_shown(come: Come) -> None:
    person = come(language="de")
    page = person.page
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    person.context.set_offline(True)
    page.reload()
    page.get_by_role("heading", name="Du bist offline").wait_for()
    person.context.set_offline(False)
    page.locator("main a").click()
    page.locator("[data-card]").first.wait_for()
