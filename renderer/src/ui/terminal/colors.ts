import type { ITheme } from '@xterm/xterm'
import { inkOf } from '../curves/ink.ts'

/** Colours of the tokens, for both themes. The terminal's minimum contrast keeps colours of programs readable. */
export function terminalColors(): ITheme {
  const [text, second, accent] = [inkOf('text'), inkOf('second'), inkOf('accent')]
  const colors = {
    black: second,
    red: inkOf('bad'),
    green: inkOf('ok'),
    yellow: inkOf('warn'),
    blue: inkOf('series-1'),
    magenta: inkOf('series-3'),
    cyan: inkOf('series-4'),
    white: text,
  }
  return {
    ...colors,
    brightBlack: colors.black,
    brightRed: colors.red,
    brightGreen: colors.green,
    brightYellow: colors.yellow,
    brightBlue: colors.blue,
    brightMagenta: colors.magenta,
    brightCyan: colors.cyan,
    brightWhite: colors.white,
    background: inkOf('bg'),
    foreground: text,
    cursor: accent,
    cursorAccent: inkOf('bg'),
    selectionBackground: accent.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.32)'),
    scrollbarSliderBackground: inkOf('edge'),
    scrollbarSliderHoverBackground: second,
    scrollbarSliderActiveBackground: second,
  }
}
