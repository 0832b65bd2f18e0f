// Made from the server's messages by `python -m mandala.server.typescript`: do not edit.

/** What the host of this server says about it, as plain text; empty where there is nothing. */
export interface About {
  imprint?: string
  privacy?: string
}

/** Answer somebody who asked for a takeback. */
export interface Answer {
  type: "answer"
  id: string
  number: number
  agrees: boolean
}

/** Why a move is not legal; without a code it is. */
export interface Because {
  type: "because"
  id: string
  move: string
  code: string | null
  text: string | null
}

/** How long a seat may think: not limited, for the whole game, or for each move. */
export interface Clock {
  kind?: "game" | "move" | "none"
  seconds?: number
  increment?: number
}

/** A wish is fulfilled and on the disk; `number` is its event's. */
export interface Done {
  type: "done"
  id: string
  number: number
}

/** How a game ended, and who won. */
export interface EndingState {
  how: string
  seat: number | null
  winners: number[]
}

/** What is wrong, by a stable code and as a sentence; `id` is that of the wish. */
export interface Fault {
  type: "error"
  code: string
  text: string
  id?: string | null
  parts?: Record<string, unknown>
  legal?: string[]
  line?: number | null
  column?: number | null
}

/** Two tiles of one colour, and what they score: the sum of the terms. */
export interface Flower {
  tiles: string[]
  terms: FlowerTerm[]
  points: number
}

/** A part of what a flower scores: the value of a tile, `factor` times. */
export interface FlowerTerm {
  factor: number
  value: number
}

/** A position of Flowers. In the last round a third flower has been formed. */
export interface FlowersBoard {
  type: "flowers"
  phase: "action" | "claim" | "draw" | "ending" | "new-tiles" | "over" | "setup"
  mandalas: FlowersMandala[]
  seats: FlowersSeat[]
  pile: number
  discard: number[]
  dark: number
  light: number
  dark_colours: string
  last_round: boolean
}

/** A mandala: its tiles (none once it is gone), its holder or 0, each seat's side. */
export interface FlowersMandala {
  tiles: string[]
  holder: number
  sides: FlowersSide[]
  missing: string
  dissolving: boolean
}

/** What belongs to a seat. `shown` are cards in its hand that everybody saw going there. */
export interface FlowersSeat {
  hand: number[]
  shown: number[]
  singles: string[]
  single_points: number
  flowers: Flower[]
  points: number
}

/** The cards of one seat in a mandala. */
export interface FlowersSide {
  up: number[]
  down: number[]
}

/** The board after a ply, and what happened in it. `actor` is None for chance and for ply 0. `gains` are the points that a decision brought each seat, with the draws that follow it. */
export interface Frame {
  ply: number
  move: string
  actor: number | null
  board: MandalaBoard | PatternsBoard | FlowersBoard
  scores: number[]
  gains: number[]
  narration: Sentence[]
}

/** A game that can be played. */
export interface GameInfo {
  id: string
  seats: number[]
}

/** Whether the server can serve. */
export interface Health {
  status: string
}

/** Ask what a strong player might do; only where all others are bots. */
export interface Hint {
  type: "hint"
  id: string
}

/** A move to consider, what it does, and the share of the win (0 to 1) that one can hope for. */
export interface Hinted {
  type: "hinted"
  id: string
  number: number
  move: string
  text: string
  share: number | null
}

/** What to say to a move: praise with what follows, or why not (`try-another`: legal, but …). */
export interface LessonAnswer {
  accepted: boolean
  code: string | null
  text: string
  frames: Frame[]
}

/** A first game, step by step; the learner sits on `seat`. `names` are those of the seats. */
export interface LessonInfo {
  game: string
  seats: number
  seat: number
  names: string[]
  steps: LessonStep[]
}

/** The learner's move. */
export interface LessonMove {
  move: string
}

/** A position of a lesson in which the learner is to move, and what to do there. */
export interface LessonStep {
  step: number
  title: string
  text: string
  board: MandalaBoard | PatternsBoard | FlowersBoard
  scores: number[]
  legal: string[]
}

/** A secret that is somebody: for another device, or for a program. */
export interface Link {
  key: string
}

/** One of the two mandalas: its centre, the field of each seat, the colours it still lacks. */
export interface MandalaArea {
  centre: number[]
  fields: number[][]
  majority: number
  missing: string
  dissolving: boolean
}

/** A position of Mandala. `discards` counts the actions C in a row: `max_discards` end it. */
export interface MandalaBoard {
  type: "mandala"
  phase: "action" | "dissolve" | "draw" | "over" | "refill" | "setup"
  mandalas: MandalaArea[]
  seats: MandalaSeat[]
  pile: number
  discard: number[]
  last_phase: boolean
  discards: number
  max_discards: number
}

/** What belongs to a seat. `river` has the colour on each place, from 1 on. `unscored` are the cards in the cup whose colour is not in the river. */
export interface MandalaSeat {
  hand: number[]
  river: string[]
  cup: number[]
  secret: number[]
  points: number
  scoring: RiverScore[]
  unscored: number
}

/** Who one is here. */
export interface Me {
  id: string
  name: string
}

/** Decide. */
export interface Move {
  type: "move"
  id: string
  number: number
  move: string
}

/** The name to go by. */
export interface NewMe {
  name: string
}

/** Why a move is not legal after so many plies of a record, or at its end. */
export interface NewQuestion {
  record: string
  move: string
  ply?: number | null
}

/** A record to be played through: with all its cards, or as one seat saw it. */
export interface NewReplay {
  record: string
  view?: number | null
}

/** A table to be opened. `share` is one's own random part of the deal, 64 hex digits. With a record as its `line`, the game goes on from the position after `ply` plies of it. */
export interface NewTable {
  game: string
  seats: SeatWish[]
  share?: string
  clock?: Clock
  listed?: boolean
  line?: string
  ply?: number | null
}

/** An event, as the recipient may know it, and the table after it. */
export interface News {
  type: "event"
  number: number
  kind: string
  at: number
  seat: number | null
  plies: string[]
  narration: Sentence[]
  name: string
  agrees: boolean | null
  table: string
  state: TableState | null
}

/** A new table, and for each open seat the key that lets somebody sit down there. */
export interface Opening {
  state: TableState
  keys: Record<string, string>
}

/** A position of Patterns. Spaces are in reading order, c8 first; `starting` is to be given. */
export interface PatternsBoard {
  type: "patterns"
  phase: "action" | "giving" | "last-flips" | "over" | "setup"
  spaces: PatternsSpace[]
  seats: PatternsSeat[]
  starting: string
}

/** A group of `size` tiles, of which `scored` score its number each. */
export interface PatternsGroup {
  number: number
  colour: string
  size: number
  scored: number
  points: number
  gain: number
}

/** What belongs to a seat. Its groups are in the order of their numbers. */
export interface PatternsSeat {
  bowl: string
  groups: PatternsGroup[]
  next_number: number
  points: number
}

/** A space: its tile, the seat whose group it belongs to (0: a front), a marker's number. */
export interface PatternsSpace {
  name: string
  colour: string
  seat: number
  marker: number
}

/** Ask whether the server is there. */
export interface Ping {
  type: "ping"
}

/** The server is there. */
export interface Pong {
  type: "pong"
  now: number
}

/** Which seats have somebody connected to this table, and how many watch. */
export interface Presence {
  type: "presence"
  seats: number[]
  watching: number
}

/** All that is needed to check a deal; bytes are hexadecimal digits, shares are by seat. */
export interface Proof {
  commitment: string
  secret: string
  shares: Record<string, string>
  given: number
  draws: ProofDraw[]
}

/** A chance move: its number, its ply from 1, and what it could have been, with weights. */
export interface ProofDraw {
  number: number
  ply: number
  move: string
  outcomes: string[]
  weights: number[]
}

/** Ask to play again. */
export interface Rematch {
  type: "rematch"
  id: string
  number: number
}

/** A record, ply by ply. `view` is the seat whose eyes see it; `hidden` when cards are `?`. `names` are those that the narration uses, by seat. */
export interface Replay {
  game: string
  seats: number
  tags: Record<string, string>
  names: string[]
  view: number | null
  hidden: boolean
  winners: number[]
  frames: Frame[]
}

/** Give up. */
export interface Resign {
  type: "resign"
  id: string
  number: number
}

/** What a place of the river scores: `count` cards of its colour in the cup, `factor` each. Cards that the viewer cannot see are not counted. An empty place has no colour. */
export interface RiverScore {
  colour: string
  count: number
  factor: number
  points: number
}

/** The rules of a game for players, in short. */
export interface RulesInfo {
  game: string
  sections: RulesSection[]
}

/** A part of the rules: first its paragraphs, then its list. */
export interface RulesSection {
  title: string
  paragraphs: string[]
  items: string[]
}

/** Who sits on a seat. `display_name` is what the seat is called in the recipient's language. */
export interface SeatState {
  seat: number
  kind: "bot" | "open" | "person"
  name: string
  display_name: string
  you: boolean
  time_left: number | null
}

/** Who shall sit on a seat of a new table: oneself, a bot by name, or whoever comes. */
export interface SeatWish {
  kind: "bot" | "me" | "open"
  name?: string
}

/** A complete sentence for one reader, and the seat that it is about, from 1, if any. */
export interface Sentence {
  text: string
  seat?: number | null
}

/** Sit down; `key` is the one of the seat's link, needed where the table is not listed. */
export interface Sit {
  share: string
  key?: string
}

/** Who sits on a seat of a table in a list; several may have the same `display_name`. */
export interface SitterInfo {
  seat: number
  kind: "bot" | "open" | "person"
  name: string
  display_name: string
}

/** A table in a list. `your_seats` are one's own, for who is known. */
export interface TableInfo {
  id: string
  game: string
  seats: number
  state: "open" | "over" | "running"
  names: string[]
  sitters: SitterInfo[]
  actor: number | null
  your_seats: number[]
  your_turn: boolean
  clock: Clock
  listed: boolean
  opened_at: number
  changed_at: number
}

/** A table as one recipient may see it. Times are in milliseconds. */
export interface TableState {
  id: string
  number: number
  game: string
  state: "open" | "over" | "running"
  seats: SeatState[]
  your_seat: number | null
  actor: number | null
  clock: Clock
  since: number
  deadline: number | null
  now: number
  commitment: string
  board: MandalaBoard | PatternsBoard | FlowersBoard | null
  legal: string[]
  scores: number[] | null
  moves: string[] | null
  asked: number | null
  agreed: number[]
  takebacks: number
  ending: EndingState | null
  rematch: number[]
  rematched: string
  listed: boolean
  given: number
  warming: boolean
  rules: string
  notice: string | null
}

/** Ask for the own last decision back. */
export interface Takeback {
  type: "takeback"
  id: string
  number: number
}

/** The table as it is, and what was missed since the event named on connecting. */
export interface Welcome {
  type: "welcome"
  state: TableState
  missed: News[]
}

/** Ask why a move is not legal. */
export interface WhyNot {
  type: "why"
  id: string
  move: string
}

/** Something to do at the table: `id` is the client's own, `number` the last event it saw. */
export interface Wish {
  id: string
  number: number
}

export type Request = Move | Resign | Takeback | Answer | Rematch | WhyNot | Hint | Ping
export type Reply = News | Welcome | Presence | Done | Because | Hinted | Fault | Pong
