export const BADGES_STYLES = `
.wall { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10.5rem), 1fr)); gap: .75rem; }
.badge { display: flex; flex-direction: column; align-items: center; gap: .625rem; text-align: center; padding: 1rem .75rem .875rem;
  border-radius: calc(var(--_radius) * .8); background: var(--_surface); min-inline-size: 0; }
.badge.missing, .badge.secret { background: none; box-shadow: inset 0 0 0 1px var(--_border); }
.medal { position: relative; flex: none; --picture: 3.75rem; font-size: 1.25rem; }
.earned .picture { color: var(--_accent); background: color-mix(in srgb, var(--_accent) 14%, var(--_background)); box-shadow: inset 0 0 0 2px var(--_accent); }
.missing .picture img { filter: grayscale(1); opacity: .55; }
.secret .picture { font-size: 1.125rem; }
.times { position: absolute; inset-block-end: -.25rem; inset-inline-end: -.5rem; font-size: .75rem; font-weight: 700; line-height: 1.35;
  color: var(--_on-accent); background: var(--_accent); border: 2px solid var(--_surface); border-radius: 1rem; padding-inline: .375rem; }
.text { display: flex; flex-direction: column; gap: .25rem; inline-size: 100%; min-inline-size: 0; flex: 1; }
.name { font-weight: 650; line-height: 1.3; }
.name, .description { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.description { font-size: .8125rem; line-height: 1.4; -webkit-line-clamp: 3; }
.facts { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 .625rem; font-size: .75rem; margin-block-start: auto; padding-block-start: .25rem; }
.tiers { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: .125rem .5rem; font-size: .75rem; }
.tiers .muted, .progress .muted { font-size: .75rem; }
.dots { display: inline-flex; gap: .25rem; }
.dot { inline-size: .5625rem; block-size: .5625rem; border-radius: 50%; box-shadow: inset 0 0 0 1.5px var(--_muted); }
.dot.full { background: var(--_accent); box-shadow: none; }
.progress { display: grid; gap: .25rem; margin-block-start: .25rem; }
.progress progress { block-size: .375rem; }
@container (max-width: 24rem) {
  .wall { grid-template-columns: minmax(0, 1fr); gap: .5rem; }
  .badge { flex-direction: row; align-items: flex-start; text-align: start; gap: .875rem; padding: .75rem; }
  .medal { --picture: 3rem; font-size: 1rem; }
  .facts, .tiers { justify-content: flex-start; }
}
@media (forced-colors: active) { .dot { forced-color-adjust: none; --_accent: Highlight; --_muted: CanvasText; } }
`
