let context: CanvasRenderingContext2D | null = null

/** How many pixels a text of the picture takes. */
export function widthOf(text: string): number {
  if (context === null) {
    context = document.createElement('canvas').getContext('2d')
    if (context !== null) context.font = `13px ${getComputedStyle(document.body).fontFamily}`
  }
  return context?.measureText(text).width ?? text.length * 8
}

/** The text as far as there is room, with what stands for the rest; nothing that is one letter is taken apart. */
export function shorten(text: string, room: number): string {
  if (widthOf(text) <= room) return text
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  let [fits, tooLong] = [0, letters.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (widthOf(`${letters.slice(0, middle).join('')}…`) <= room) fits = middle
    else tooLong = middle
  }
  return `${letters.slice(0, Math.max(1, fits)).join('')}…`
}
