/// <reference lib="dom" preserve="true" />
import { LOADING_LABELS, type LoadingLabels } from '../parts/element.ts'
import type { Label } from '../parts/formats.ts'

/** The texts of `<laurels-streak>`. Names in braces are replaced by values. */
export interface StreakLabels extends LoadingLabels {
  /** `{count}` */
  readonly daily: Label
  readonly weekly: Label
  readonly monthly: Label
  readonly noStreak: Label
  /** `{date}` is the last date on which the streak can be extended. */
  readonly extendBy: Label
  readonly extendToday: Label
  /** The text when the current period is done. `{date}` is the last date of the next period. */
  readonly done: Label
  /** `{count}` and `{max}` */
  readonly freezes: Label
  /** `{dates}` */
  readonly pause: Label
  /** The name of the calendar, with `{dates}`. */
  readonly history: Label
  readonly legend: Label
  readonly kept: Label
  readonly frozen: Label
  readonly paused: Label
  readonly lost: Label
  /** The current day; `openWeek` and `openMonth` for streaks of weeks and months. */
  readonly open: Label
  readonly openWeek: Label
  readonly openMonth: Label
  readonly none: Label
  /** A day that does not count in the streak. */
  readonly neutral: Label
  /** A period: `{date}`, `{state}` and the length as `{streak}`. */
  readonly period: Label
  /** A period without a streak: `{date}` and `{state}`. */
  readonly emptyPeriod: Label
}

export const STREAK_LABELS: StreakLabels = {
  ...LOADING_LABELS,
  daily: { one: '{count} day', other: '{count} days' },
  weekly: { one: '{count} week', other: '{count} weeks' },
  monthly: { one: '{count} month', other: '{count} months' },
  noStreak: 'No active streak. Start a new one any time.',
  extendBy: 'Extend it by {date} to keep it.',
  extendToday: 'Extend it today to keep it.',
  done: 'Done for now. Come back by {date}.',
  freezes: { one: '{count} of {max} freezes', other: '{count} of {max} freezes' },
  pause: 'Paused: {dates}',
  history: 'Streak, {dates}',
  legend: 'Legend',
  kept: 'kept',
  frozen: 'saved by a freeze',
  paused: 'paused',
  lost: 'lost',
  open: 'today',
  openWeek: 'this week',
  openMonth: 'this month',
  none: 'no streak',
  neutral: 'day off',
  period: '{date}: {state}, {streak}',
  emptyPeriod: '{date}: {state}',
}

export const STREAK_STYLES = `
.head { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .875rem; }
.now { flex: 1 1 11rem; min-inline-size: 0; }
.flame {
  display: grid; place-items: center; flex: none; inline-size: 3.25rem; block-size: 3.25rem; border-radius: 50%;
  color: var(--_muted); background: var(--_surface); font-size: 1.5rem;
}
.flame.lit { color: var(--_warm); background: color-mix(in srgb, var(--_warm) 15%, var(--_background)); }
.count { font-size: 1.625rem; font-weight: 720; line-height: 1.15; letter-spacing: -.015em; }
.freezes {
  display: inline-flex; align-items: center; gap: .375rem; padding: .25rem .625rem; border-radius: 2rem; font-size: .8125rem;
  font-weight: 600; color: var(--_frozen); background: color-mix(in srgb, var(--_frozen) 10%, var(--_background));
}
.freezes .icon { font-size: .875rem; }
.row { display: flex; flex-wrap: wrap; gap: .375rem; margin-block-start: 1.125rem; }
.row li { display: grid; justify-items: center; gap: .375rem; position: relative; }
.row.dated { display: grid; grid-template-columns: repeat(auto-fill, minmax(3.25rem, 1fr)); gap: .75rem .25rem; max-inline-size: 34rem; }
.row.dated.days { grid-template-columns: repeat(7, minmax(0, 1fr)); max-inline-size: 29rem; }
.row.dated li { min-inline-size: 0; align-content: end; }
.date { font-size: .75rem; color: var(--_muted); text-align: center; }
.days .date { white-space: nowrap; }
@container (max-width: 19rem) { .days .date { font-size: .6875rem; letter-spacing: -.02em; } }
li[aria-current] .date { color: var(--_color); font-weight: 700; }
.mark {
  display: grid; place-items: center; inline-size: 1.125rem; block-size: 1.125rem; border-radius: .3125rem; font-size: .6875rem;
  color: var(--_background); background: var(--_surface);
}
.row .mark { inline-size: 1.375rem; block-size: 1.375rem; font-size: .8125rem; }
.row.dated .mark { inline-size: min(2.25rem, 100%); block-size: auto; aspect-ratio: 1; border-radius: 50%; font-size: 1.0625rem; }
.mark.kept { background: var(--_accent); color: var(--_on-accent); }
.mark.frozen { background: var(--_frozen); }
.mark.paused { background: var(--_paused); }
.mark.lost { color: var(--_lost); background: color-mix(in srgb, var(--_lost) 12%, var(--_background)); box-shadow: inset 0 0 0 1.5px var(--_lost); }
.mark.open { background: none; box-shadow: inset 0 0 0 2px var(--_accent); }
.mark.none { box-shadow: inset 0 0 0 1px var(--_border); }
.mark.neutral { background: none; color: var(--_muted); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-block-start: 1rem; font-size: .8125rem; color: var(--_muted); }
.legend li { display: inline-flex; align-items: center; gap: .4375rem; }
.calendar { margin-block-start: 1.125rem; }
.scroll { overflow-x: auto; padding: 3px; margin: -3px; scrollbar-width: thin; }
table {
  --gap: 3px; --cell: clamp(.6875rem, (100cqi - 3rem) / var(--weeks) - var(--gap), 1.0625rem);
  border-collapse: separate; border-spacing: var(--gap); margin: calc(-1 * var(--gap)); font-size: .6875rem;
}
th, td { padding: 0; font-weight: 400; text-align: start; color: var(--_muted); }
thead th { position: relative; block-size: 1rem; vertical-align: top; }
.month { position: absolute; inset-inline-start: 0; white-space: nowrap; line-height: 1; }
tbody th {
  position: sticky; inset-inline-start: 0; z-index: 1; padding-inline-end: .375rem; line-height: 1; white-space: nowrap;
  background: var(--_background); block-size: var(--cell); box-shadow: -.5rem 0 0 var(--_background);
}
.corner { position: sticky; inset-inline-start: 0; z-index: 2; background: var(--_background); box-shadow: -.5rem 0 0 var(--_background); }
.day {
  position: relative; inline-size: var(--cell); min-inline-size: var(--cell); block-size: var(--cell); border-radius: .1875rem;
  background: var(--_surface); cursor: default; scroll-margin-inline: 3rem;
}
.swatch { inline-size: .875rem; block-size: .875rem; border-radius: .1875rem; background: var(--_surface); }
:is(.day, .swatch).none { box-shadow: inset 0 0 0 1px var(--_border); }
:is(.day, .swatch).neutral { background: linear-gradient(transparent 42%, var(--_border) 42% 58%, transparent 58%); }
:is(.day, .swatch).kept { background: var(--_accent); }
:is(.day, .swatch).frozen { background: radial-gradient(circle, var(--_background) 22%, var(--_frozen) 26%); }
:is(.day, .swatch).paused { background: repeating-linear-gradient(135deg, var(--_paused) 0 2px, var(--_background) 2px 4px); box-shadow: inset 0 0 0 1px var(--_paused); }
:is(.day, .swatch).lost { background: linear-gradient(45deg, transparent 42%, var(--_lost) 42% 58%, transparent 58%), linear-gradient(135deg, transparent 42%, var(--_lost) 42% 58%, transparent 58%); box-shadow: inset 0 0 0 1.5px var(--_lost); }
:is(.day, .swatch).open { background: none; box-shadow: inset 0 0 0 2px var(--_accent); }
.day:hover { outline: 2px solid var(--_muted); outline-offset: 1px; }
.day:focus-visible { outline: 2px solid var(--_color); outline-offset: 1px; }
.detail { min-block-size: 1.3125rem; margin-block-start: .375rem; }
.legend:has(.mark) { margin-block-start: .875rem; }
.calendar + .legend { margin-block-start: .375rem; }
@media (forced-colors: active) {
  .mark, .day, .swatch { forced-color-adjust: none; --_background: Canvas; --_accent: Highlight; --_on-accent: HighlightText; --_surface: Canvas; --_border: CanvasText; --_frozen: LinkText; --_paused: CanvasText; --_lost: CanvasText; }
}
`
