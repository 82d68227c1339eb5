import { type Context, onlyOptions, UsageError } from '../../../command.ts'
import { openSandboxes } from '../open.ts'
import type { Result, Sandboxes } from '../sandboxes.ts'
import { createMeter } from './meter.ts'
import { type Key, press } from './press.ts'
import { type FullScreen, openScreen } from './screen.ts'
import { type Effect, initial, newShell, type State, withList } from './state.ts'
import { lastPart } from './text.ts'
import { view } from './view.ts'

const REFRESH_MS = 1000

/** All sandboxes on a full screen, until `q` or a signal. */
export async function tui(context: Context): Promise<number> {
  onlyOptions(context, 'sandbox tui')
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError('sandbox tui needs a terminal. In a script, use sandbox list, exec and trajectory.')
  const sandboxes = await openSandboxes(context)
  context.signal.throwIfAborted()
  const quit = Promise.withResolvers<void>()
  const onAbort = () => quit.reject(context.signal.reason as Error)
  context.signal.addEventListener('abort', onAbort)
  const session = createSession(sandboxes, quit)
  const screen = openScreen(process.stdin, process.stdout, { onKey: session.key, onResize: session.resize })
  try {
    session.begin(screen)
    await quit.promise
    return 0
  } finally {
    session.end()
    screen.close()
    context.signal.removeEventListener('abort', onAbort)
  }
}

/** Holds the state, draws it, and performs the effects of keys. */
function createSession(sandboxes: Sandboxes, quit: { resolve: () => void; reject: (error: unknown) => void }) {
  let screen: FullScreen | null = null
  let state: State = initial({ columns: 80, rows: 24 })
  let timer: NodeJS.Timeout | undefined
  const meter = createMeter()

  const set = (change: (state: State) => State) => {
    state = change(state)
    if (screen) screen.draw(view(state, Date.now()))
  }
  const showMessage = (message: string) => set((now) => ({ ...now, message }))
  const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error))

  const refresh = async () => {
    const [list, usage] = await Promise.all([sandboxes.list(), sandboxes.usage?.() ?? []])
    const gauges = meter(usage, performance.now())
    set((now) => withList({ ...now, gauges }, list))
  }
  const refreshForever = async () => {
    await refresh().catch((error: unknown) => showMessage(sentence(error)))
    if (screen) timer = setTimeout(() => void refreshForever(), REFRESH_MS)
  }

  const trajectory = async (id: string, isText: boolean) => {
    const content = isText ? await sandboxes.trajectoryText(id) : JSON.stringify(await sandboxes.trajectory(id), null, 2)
    set((now) =>
      now.screen.name === 'detail' && now.screen.id === id ? { ...now, screen: { ...now.screen, content: lastPart(content) } } : now,
    )
  }
  const openShell = async (id: string) => {
    const status = state.items.find((one) => one.id === id)?.status
    if (status === 'stopped') return showMessage('This sandbox was stopped. Press Enter to read its commands, or n to create another one.')
    if (status === 'exited') return showMessage('The session of this sandbox has ended. Press Enter to read its commands.')
    if (status === 'created') await sandboxes.start(id, true)
    const text = await sandboxes.trajectoryText(id)
    set((now) => ({ ...now, message: null, screen: newShell(id, text === '' ? '' : lastPart(text).replace(/\n*$/, '\n')) }))
  }
  const exec = async (id: string, command: string) => {
    const output = await sandboxes.exec(id, { command }).then(resultText, (error: unknown) => `${sentence(error)}\n`)
    set((now) =>
      now.screen.name === 'shell' && now.screen.id === id
        ? { ...now, screen: { ...now.screen, isRunning: false, text: lastPart(now.screen.text + output) } }
        : now,
    )
  }
  const create = async (image: string, setupCommands: string[]) => {
    const { id } = await sandboxes.create({ ...(image !== '' && { image }), setupCommands }).catch((error: unknown) => {
      set((now) => ({ ...now, screen: { name: 'list' } }))
      throw error
    })
    const isCreating = () => state.screen.name === 'create' && state.screen.step === 'creating'
    await sandboxes.start(id, true).catch((error: unknown) => {
      if (isCreating()) set((now) => ({ ...now, screen: { name: 'list' } }))
      throw error
    })
    await refresh()
    if (isCreating()) await openShell(id)
  }
  const remove = async (id: string) => {
    await sandboxes.stop(id, true)
    set((now) => ({ ...now, screen: { name: 'list' } }))
    await refresh()
    showMessage(`Removed ${id.slice(0, 8)}.`)
  }

  const perform = async (effect: Effect): Promise<void> => {
    switch (effect.type) {
      case 'quit':
        return quit.resolve()
      case 'refresh':
        return refresh()
      case 'trajectory':
        return trajectory(effect.id, effect.isText)
      case 'open-shell':
        return openShell(effect.id)
      case 'create':
        return create(effect.image, effect.setupCommands)
      case 'exec':
        return exec(effect.id, effect.command)
      case 'interrupt':
        if (!sandboxes.interrupt) return showMessage('This service cannot interrupt a command; it runs until its timeout.')
        await sandboxes.interrupt(effect.id)
        return
      case 'remove':
        return remove(effect.id)
    }
  }

  return {
    begin(opened: FullScreen): void {
      screen = opened
      set((now) => ({ ...now, size: opened.size }))
      void refreshForever()
    },
    end(): void {
      screen = null
      clearTimeout(timer)
    },
    resize: (): void => set((now) => ({ ...now, size: screen?.size ?? now.size })),
    key: (key: Key): void => {
      try {
        const [next, ...effects] = press(state, key)
        set(() => next)
        for (const effect of effects) perform(effect).catch((error: unknown) => showMessage(sentence(error)))
      } catch (error) {
        quit.reject(error)
      }
    },
  }
}

function resultText({ output, exitCode, exited, timedOut }: Result): string {
  const lines = [
    ...(output === '' ? [] : [output]),
    ...(timedOut ? ['[stopped after its timeout]'] : []),
    ...(exitCode === 0 ? [] : [`[exit code ${exitCode}]`]),
    ...(exited ? ['[the session ended]'] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
