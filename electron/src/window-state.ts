import fs from 'node:fs'
import path from 'node:path'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** Size and place of the window in its normal state, in device-independent pixels. */
export type WindowState = Pick<Rectangle, 'width' | 'height'> & Partial<Pick<Rectangle, 'x' | 'y'>> & { isMaximized?: boolean }

const DEFAULT: WindowState = { width: 1440, height: 900 }
/** So much of the title bar must be on a screen that it can be taken with the mouse. */
const REACHABLE = 64

/** The window as it was left; the default when there is no readable note of it. */
export function readWindowState(file: string): WindowState {
  if (!fs.existsSync(file)) return DEFAULT
  try {
    const { width, height, x, y, isMaximized } = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<WindowState>
    if (!isSize(width) || !isSize(height)) return DEFAULT
    return { width, height, ...(Number.isFinite(x) && Number.isFinite(y) ? { x, y } : {}), isMaximized: isMaximized === true }
  } catch {
    return DEFAULT // a torn or foreign note: the window opens at its default place
  }
}

const isSize = (value: unknown): value is number => typeof value === 'number' && value >= 400 && value <= 20_000

/** Without its place when that is on none of the screens (a monitor was unplugged): the system then chooses one. */
export function onScreen(state: WindowState, screens: readonly Rectangle[]): WindowState {
  const { x, y, width } = state
  if (x === undefined || y === undefined) return state
  const isReachable = screens.some(
    (screen) =>
      x + width >= screen.x + REACHABLE &&
      x <= screen.x + screen.width - REACHABLE &&
      y >= screen.y &&
      y <= screen.y + screen.height - REACHABLE,
  )
  return isReachable ? state : { width: state.width, height: state.height, isMaximized: state.isMaximized }
}

export function writeWindowState(file: string, state: WindowState): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  fs.writeFileSync(`${file}.part`, JSON.stringify(state), { mode: 0o600 })
  fs.renameSync(`${file}.part`, file)
}
