import type { Terminal } from '@xterm/xterm'

/** Software WebGL is slower than DOM elements. */
const IN_SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

let isGpuAvailable: boolean | null = null

function hasGpu(): boolean {
  if (isGpuAvailable === null) {
    const gl = document.createElement('canvas').getContext('webgl2')
    const info = gl?.getExtension('WEBGL_debug_renderer_info')
    isGpuAvailable = gl && info ? !IN_SOFTWARE.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL))) : false
    gl?.getExtension('WEBGL_lose_context')?.loseContext()
  }
  return isGpuAvailable
}

let gpuTerminal: { terminal: Terminal; stop: () => void } | null = null

/** Draws this terminal by the GPU if there is one. Only one at a time: a page has few contexts, and the oldest is lost. */
export async function drawByGpu(terminal: Terminal): Promise<void> {
  if (gpuTerminal?.terminal === terminal || !hasGpu()) return
  const { WebglAddon } = await import('@xterm/addon-webgl')
  if (!terminal.element?.isConnected) return
  gpuTerminal?.stop()
  const addon = new WebglAddon()
  const stop = () => {
    addon.dispose() // DOM elements take over
    if (gpuTerminal?.terminal === terminal) gpuTerminal = null
  }
  addon.onContextLoss(stop)
  terminal.loadAddon(addon)
  gpuTerminal = { terminal, stop }
}

/** Before the terminal itself is disposed. */
export function forgetGpu(terminal: Terminal): void {
  if (gpuTerminal?.terminal === terminal) gpuTerminal = null
}
