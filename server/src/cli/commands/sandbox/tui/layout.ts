import type { Screen, State } from './state.ts'
import { wrap } from './text.ts'

/** Rows between the head and the last two lines. */
export const bodyRows = ({ size }: State): number => Math.max(size.rows - 4, 1)

type Detail = Extract<Screen, { name: 'detail' }>
type Shell = Extract<Screen, { name: 'shell' }>

/** Three rows show the sandbox's table row. */
export const detailRows = (state: State): number => Math.max(bodyRows(state) - 3, 1)
export const detailLines = ({ size }: State, { content }: Detail): string[] =>
  wrap(content === '' ? 'No commands yet.' : (content ?? 'Loading commands.'), size.columns)

/** One row is the input. */
export const shellRows = (state: State): number => Math.max(bodyRows(state) - 1, 1)
export const shellLines = ({ size }: State, { text }: Shell): string[] => (text === '' ? [] : wrap(text.replace(/\n$/, ''), size.columns))

/** Limits `scroll` to the existing lines. */
export const clampScroll = (scroll: number, lines: number, rows: number): number => Math.min(Math.max(scroll, 0), Math.max(lines - rows, 0))
