/** Controls, marks of direction, unassigned and line-breaking signs, and letters that show nothing. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/gu
const LONG_GAP = /\p{Zs}{4,}/gu

/** A value that a person has to judge: signs that show nothing, or turn or move the text, by their number; long gaps by their length. */
export const nameHidden = (text: string): string =>
  text
    .replaceAll(LONG_GAP, (gap) => `⟨${gap.length} spaces⟩`)
    .replaceAll(HIDDEN, (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
