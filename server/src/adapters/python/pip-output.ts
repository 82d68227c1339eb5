/** The progress of pip, read from its output. */
export interface PipState {
  phase: 'collecting' | 'installing'
  /** Number of packages collected so far; during the installation, of all packages. */
  packages: number
  current: string | null
  /** Of the current download. */
  bytesDone: number | null
  bytesTotal: number | null
  /** Bytes downloaded so far, of all files. */
  fetched: number
}

export const INITIAL_PIP_STATE: PipState = {
  phase: 'collecting',
  packages: 0,
  current: null,
  bytesDone: null,
  bytesTotal: null,
  fetched: 0,
}

/** The state after one more line of `pip install --progress-bar raw`; unchanged after lines that are not about progress. */
export function afterLine(state: PipState, line: string): PipState {
  const progress = /^Progress (\d+) of (\d+)$/.exec(line)
  if (progress) {
    const [done, total] = [Number(progress[1]), Number(progress[2])]
    const fetched = state.fetched + done - (state.bytesTotal === null ? 0 : (state.bytesDone ?? 0))
    return { ...state, bytesDone: done, bytesTotal: total, fetched }
  }
  const collecting = /^(?:Collecting|Requirement already satisfied:) ([^\s;([]+)/.exec(line)
  if (collecting) return { ...state, packages: state.packages + 1, current: collecting[1]!, bytesDone: null, bytesTotal: null }
  if (/^\s+(Downloading|Using cached) /.test(line)) return { ...state, bytesDone: null, bytesTotal: null }
  const installing = /^Installing collected packages: (.*)$/.exec(line)
  if (installing) return { ...state, phase: 'installing', packages: installing[1]!.split(', ').length, current: null, bytesDone: null, bytesTotal: null } // prettier-ignore
  return state
}
