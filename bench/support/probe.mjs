// Loaded into the server first (`node --import`). Measures the event loop and memory, and reports over IPC.
import fs from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('message', (message) => {
    if (message === 'reset') delay.reset()
    if (message !== 'measure') return
    const status = fs.readFileSync('/proc/self/status', 'utf8')
    const kb = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
    const { user, system } = process.cpuUsage()
    process.send({
      measured: {
        p50Ms: delay.percentile(50) / 1e6,
        p99Ms: delay.percentile(99) / 1e6,
        maxMs: delay.max / 1e6,
        peakRssMb: kb('VmHWM') / 1024,
        rssMb: kb('VmRSS') / 1024,
        cpuMs: (user + system) / 1000,
      },
    })
  })
}
