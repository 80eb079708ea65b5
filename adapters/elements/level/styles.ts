export const LEVEL_STYLES = `
.head { display: flex; align-items: center; gap: .875rem; --picture: 3.25rem; }
.head .picture { color: var(--_accent); background: color-mix(in srgb, var(--_accent) 12%, var(--_background)); font-size: 1.125rem; }
.now { flex: 1; min-inline-size: 0; display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; }
.level { font-size: 1.375rem; font-weight: 720; line-height: 1.2; letter-spacing: -.015em; }
.total { font-weight: 600; font-variant-numeric: tabular-nums; }
.ahead { margin-block-start: .875rem; display: grid; gap: .5rem; }
progress { block-size: .625rem; }
.ends { display: flex; justify-content: space-between; gap: 1rem; }
.ends > :last-child { text-align: end; }
.head + .muted { margin-block-start: .75rem; }
`
