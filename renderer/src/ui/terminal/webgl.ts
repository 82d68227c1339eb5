import type { Terminal } from '@xterm/xterm'

/** Software WebGL is slower than DOM elements. */
const IN_SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

let known: boolean | null = null

function hasGpu(): boolean {
  if (known === null) {
    const gl = document.createElement('canvas').getContext('webgl2')
    const info = gl?.getExtension('WEBGL_debug_renderer_info')
    known = gl && info ? !IN_SOFTWARE.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL))) : false
    gl?.getExtension('WEBGL_lose_context')?.loseContext()
  }
  return known
}

let drawn: { terminal: Terminal; stop: () => void } | null = null

/** Draws this terminal by the GPU if there is one. Only one at a time: a page has few contexts, and the oldest is lost. */
export async function drawByGpu(terminal: Terminal): Promise<void> {
  if (drawn?.terminal === terminal || !hasGpu()) return
  const { WebglAddon } = await import('@xterm/addon-webgl')
  if (!terminal.element?.isConnected) return
  drawn?.stop()
  const addon = new WebglAddon()
  const stop = () => {
    addon.dispose() // DOM elements take over
    if (drawn?.terminal === terminal) drawn = null
  }
  addon.onContextLoss(stop)
  terminal.loadAddon(addon)
  drawn = { terminal, stop }
}

/** Before the terminal itself is disposed. */
export function forgetGpu(terminal: Terminal): void {
  if (drawn?.terminal === terminal) drawn = null
}
