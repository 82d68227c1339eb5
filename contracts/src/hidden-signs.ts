/** Control, direction, unassigned and line-breaking characters, and letters without a visible form. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/gu
const LONG_GAP = /\p{Zs}{4,}/gu

/** Makes hidden characters and long gaps visible, in a value that a person must check. */
export const nameHidden = (text: string): string =>
  text
    .replaceAll(LONG_GAP, (gap) => `⟨${gap.length} spaces⟩`)
    .replaceAll(HIDDEN, (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
