import fs from 'node:fs'
import path from 'node:path'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** Size and position of the window when it is not maximized, in device-independent pixels. */
export type WindowState = Pick<Rectangle, 'width' | 'height'> & Partial<Pick<Rectangle, 'x' | 'y'>> & { isMaximized?: boolean }

const DEFAULT_STATE: WindowState = { width: 1440, height: 900 }
/** This much of the title bar must be on a screen, so that the mouse can drag it. */
const REACHABLE_PIXELS = 64

/** The saved state of the window; the default if nothing valid is saved. */
export function readWindowState(file: string): WindowState {
  if (!fs.existsSync(file)) return DEFAULT_STATE
  try {
    const { width, height, x, y, isMaximized } = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<WindowState>
    if (!isSize(width) || !isSize(height)) return DEFAULT_STATE
    return { width, height, ...(Number.isFinite(x) && Number.isFinite(y) ? { x, y } : {}), isMaximized: isMaximized === true }
  } catch {
    return DEFAULT_STATE // an incomplete or changed file
  }
}

const isSize = (value: unknown): value is number => typeof value === 'number' && value >= 400 && value <= 20_000

/** Removes a position that is on no screen (a monitor was unplugged), so that the system chooses one. */
export function withVisiblePosition(state: WindowState, screens: readonly Rectangle[]): WindowState {
  const { x, y, width } = state
  if (x === undefined || y === undefined) return state
  const isReachable = screens.some(
    (screen) =>
      x + width >= screen.x + REACHABLE_PIXELS &&
      x <= screen.x + screen.width - REACHABLE_PIXELS &&
      y >= screen.y &&
      y <= screen.y + screen.height - REACHABLE_PIXELS,
  )
  return isReachable ? state : { width: state.width, height: state.height, isMaximized: state.isMaximized }
}

export function writeWindowState(file: string, state: WindowState): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  fs.writeFileSync(`${file}.part`, JSON.stringify(state), { mode: 0o600 })
  fs.renameSync(`${file}.part`, file)
}
