/** Names that a careless map, collation or trim would mix up or lose. */
export const NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'Ann',
  'ann',
  'ann ',
  ' ann',
  'é',
  'e\u0301',
  '🎉',
  '👩‍👩‍👧',
  'ß',
  'SS',
  "o'brien",
  '"quoted"',
  'back\\slash',
  'per%cent_',
  'line\nbreak',
  '\u0001',
  '\uffff',
  '%',
  '0',
  '00',
  '1e3',
  'null',
  '好'.repeat(255),
  'x'.repeat(255),
]

/** Ascending by code point, which is the order of UTF-8 bytes. By UTF-16 units the last two would change places. */
export const ORDERED: readonly string[] = ['A', 'Z', 'Za', 'a', 'e\u0301', 'z', 'é', 'ÿ', 'Ω', '好', '\uff5e', '😀']
