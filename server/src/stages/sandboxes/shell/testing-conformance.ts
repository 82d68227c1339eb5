/** Behaviour of a shell in any machine. Each engine runs the same cases. */
import { EventEmitter, once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Machine } from '#server/adapters/sandbox/index.ts'
import { soaking } from '#server/testing/soak.ts'
import { openShell } from './shell.ts'
import type { Shell, ShellOptions, ShellResult, TypedResult } from './types.ts'

type Mode = 'pipe' | 'terminal'
/** A command, what it prints, and its code (0 by default). */
type Step = [command: string, output: string | RegExp, code?: number]
interface Case {
  name: string
  steps: Step[]
  in?: Mode
  /** The last step ends the shell. */
  ends?: boolean
}

const UNREAD = 'x'.repeat(1_000_000)

const CASES: Case[] = [
  {
    name: 'merges errors into the output in order, worded as in an interactive bash',
    steps: [["echo 'Hello, World!' && cd not-exists", 'Hello, World!\nbash: cd: not-exists: No such file or directory\n', 1]],
  },
  {
    name: 'does nothing for a comment',
    steps: [
      ['# This is a comment', ''],
      ['', ''],
      ['\n \n', ''],
    ],
  },
  {
    name: 'keeps directory, variables, functions, options and descriptors',
    steps: [
      ['mkdir inner && cd inner && x=5; f() { echo "f $1 $x"; return 3; }; shopt -s nullglob; exec 5>five', ''],
      ['f a; pwd', /^f a 5\n\/.*\/inner\n$/],
      ['f b', 'f b 5\n', 3],
      ['echo none*; echo six >&5; exec 5>&-; cat five', '\nsix\n'],
    ],
  },
  {
    name: 'keeps the last status',
    steps: [
      ['false', '', 1],
      ['echo $?', '1\n'],
      ['(exit 200)', '', 200],
      ['echo $?; echo $?', '200\n0\n'],
    ],
  },
  {
    name: 'runs several lines as one command',
    steps: [
      ["echo 'First line'\necho 'Second line'\necho 'Third line'", 'First line\nSecond line\nThird line\n'],
      ["echo -e 'Hello, World!!\nHow you doing?\nHello' | grep 'Hello' > output.txt && cat output.txt", 'Hello, World!!\nHello\n'],
      ["echo 'Q0xVIFdBUyBIRVJF' | base64 -d ", 'CLU WAS HERE'],
      ['a=1\nif [ $a = 1 ]; then\n  echo "one!"\nelse\n  echo other\nfi\nfor i in 1 2; do echo $i; done', 'one!\n1\n2\n'],
      ["cat <<'END'\n$HOME 'q' \"d\" `b` \\n ! \t tab\nEND\ncat <<END\n$((1 + 1))\nEND", '$HOME \'q\' "d" `b` \\n ! \t tab\n2\n'],
      ['false | true; echo ${PIPESTATUS[@]}', '1 0\n'],
    ],
  },
  {
    name: 'returns printed text byte for byte',
    steps: [
      ['printf x', 'x'],
      ["printf 'a\\377b\\303\\251'", 'a\ufffdbé'],
      ['echo é 日本 😀', 'é 日本 😀\n'],
      ['echo "a  b"  ', 'a  b\n'],
    ],
  },
  {
    name: 'survives errors of syntax and expansion',
    steps: [
      ["echo before\necho 'open", /^before\nbash: .*unexpected EOF/, 2],
      ['echo )', /syntax error near unexpected token/, 2],
      ['nosuchcommand', 'bash: nosuchcommand: command not found\n', 127],
      ['echo $((1/0))', /division by 0/, 1],
      ['set -u; echo $nope', 'bash: nope: unbound variable\n', 1],
      ['logout', /not login shell/, 1],
      ['readonly r=1; r=2', /readonly/, 1],
      ['echo alive', 'alive\n'],
    ],
  },
  {
    name: 'ends at once at an error that discards the rest of the line',
    steps: [
      ['set -uo pipefail; echo one; echo $((nope + 1)); echo two', 'one\nbash: nope: unbound variable\n', 1],
      ['(( nope > 3 )) 2>/dev/null; echo rest', '', 1],
      ['f() { [[ nope -eq 1 ]]; echo rest; }; f; echo rest', 'bash: nope: unbound variable\n', 1],
      ['list[nope]=1', 'bash: nope: unbound variable\n', 1],
      ["PROMPT_COMMAND=': mine'", ''],
      ['x=$((nope))', 'bash: nope: unbound variable\n', 1],
      ['echo ${missing:?gone}; echo rest', 'bash: missing: gone\n', 1],
      ['echo ${bad!name}; echo rest', /bad substitution/, 1],
      ['return 3', /can only `return'/, 2],
      ['exec nosuchprogram', /nosuchprogram: (?:command )?not found/, 127],
      ['(exit 4); echo "alive $?"', 'alive 4\n'],
      ['readonly PROMPT_COMMAND', ''],
      ['echo $((nope + 2)); echo rest', 'bash: nope: unbound variable\n', 1],
      ['echo "$nope"', 'bash: nope: unbound variable\n', 1],
      ['echo alive', 'alive\n'],
    ],
  },
  {
    name: 'loses no output to descriptors that a command closes or redirects',
    steps: [
      ['exec 3>&1 >hidden', ''],
      ['echo secret', ''],
      ['false', '', 1],
      ['exec >&3 3>&-; cat hidden', 'secret\n'],
      ['exec 2>errors', ''],
      ['nosuch', '', 127],
      ['exec 2>&1; cat errors', 'bash: nosuch: command not found\n'],
      ['exec >&-', ''],
      ['true', ''],
      ['echo x', /write error/, 1],
    ],
  },
  {
    name: 'tolerates prompts, options, aliases and functions that the user sets',
    steps: [
      ["PS1='$ '; PS2='> '; PROMPT_COMMAND='echo prompt'", ''],
      ['echo "$PS1"', '$ \n'],
      ['echo a\necho b', 'a\nb\n'],
      ['alias printf=false eval=false builtin=false command=false', ''],
      ['echo b', 'b\n'],
      ['unalias -a', ''],
      ['printf() { echo fake; }; eval() { echo fake; }', ''],
      ['\\printf x', 'fake\n'],
      ['unset -f printf eval; unset PATH HOME PS1 PROMPT_COMMAND; IFS=1; set -f -C', ''],
      ['echo "$HOME"', '\n'],
      [`: ${UNREAD}; echo long`, 'long\n'],
      ['set -o posix', ''],
      ['echo )', /syntax error/, 2],
      ['set +o posix; set -H', ''],
      ["echo 'wow! !!'", 'wow! !!\n'],
    ],
  },
  {
    name: 'continues in a removed folder',
    steps: [
      ['mkdir gone && cd gone && rmdir ../gone', ''],
      ['echo here', 'here\n'],
      ['(exit 4)', '', 4],
      ['cd ..; cd nowhere', /No such file/, 1],
    ],
  },
  {
    name: 'does not read a status from printed text',
    steps: [
      ["printf '\\036%020d%s\\036' 12345 0; printf '\\036'; false", '\x1e000000000000000123450\x1e\x1e', 1],
      ["for i in 1 2 3; do printf '\\036%s' 1111; done; printf '\\036'", '\x1e1111\x1e1111\x1e1111\x1e'],
      ['echo "$_"', '\n'],
      ['set -v', ''],
      ['echo a', 'echo a\na\n'],
      ['set +v -x', /^set \+v -x\n$/],
      ['false', /^(\+.*\n)+$/, 1],
      ['set +x', /^(\+.*\n)+$/],
      ['trap \'echo "$BASH_COMMAND" >&2\' DEBUG', /^.*$/s],
      ['(exit 9)', /exit 9/, 9],
      ['trap - DEBUG', /^.*$/s],
      ['echo end', 'end\n'],
    ],
  },
  {
    name: 'runs a command of a megabyte and leaves no file',
    steps: [
      ['false', '', 1],
      [`echo $?\n: '${UNREAD}'\nls -A /tmp | grep -c '^[.][0-9a-f]\\{16\\}$'; cat <<'END' | wc -c\n${UNREAD}\nEND`, '1\n0\n1000001\n'],
      [`# ${UNREAD}`, ''],
      [`'${UNREAD}`, /unexpected EOF/, 2],
    ],
  },
  {
    name: 'does not end with a subshell or an ignored signal',
    steps: [
      ['(exit 7)', '', 7],
      ['bash -c "exit 8"', '', 8],
      ['kill -TERM $$; kill -QUIT $$; echo on', 'on\n'],
    ],
  },
  { name: 'ends with the code of `exit` and runs nothing after it', ends: true, steps: [['echo a; exit 7; echo b', 'a\n', 7]] },
  {
    name: 'ends with the last status',
    ends: true,
    steps: [
      ['(exit 5)', '', 5],
      ['exit', '', 5],
    ],
  },
  { name: 'keeps a line "exit" that the command printed', ends: true, steps: [['echo exit; exit 3', 'exit\n', 3]] },
  {
    name: 'runs the EXIT trap',
    ends: true,
    steps: [
      ["trap 'echo bye; false' EXIT", ''],
      ['exit 4', 'bye\n', 4],
    ],
  },
  {
    name: 'ends at the first failure with set -e',
    ends: true,
    steps: [
      ['set -e', ''],
      ['! true', '', 1],
      ['if false; then :; fi', ''],
      ['echo exit; false; echo no', 'exit\n', 1],
    ],
  },
  { name: 'ends with the program that replaces it', ends: true, steps: [["exec sh -c 'echo exit; exit 9'", 'exit\n', 9]] },
  { name: 'ends by a signal', ends: true, steps: [['echo exit; kill -KILL $$; echo no', 'exit\n', 137]] },
  {
    name: 'gives commands nothing to read',
    in: 'pipe',
    steps: [
      ['cat', ''],
      ['read x', '', 1],
      ['head -1; sort', ''],
      ['exec 0</etc/passwd; read -r x; echo ${x:0:4}', 'root\n'],
      ['tty', 'not a tty\n', 1],
      ['test -t 1', '', 1],
    ],
  },
  {
    name: 'continues after it interrupted itself',
    in: 'pipe',
    steps: [
      ['kill -INT $$; echo no', '\n', 130],
      ['echo on', 'on\n'],
      ["sh -c 'kill -KILL $$'", /^(Killed\n)?$/, 137],
    ],
  },
  {
    name: 'has a terminal',
    in: 'terminal',
    steps: [
      ['tty', /^\/dev\//],
      ['test -t 0 && test -t 1 && test -t 2', ''],
      ['stty size', '30 100\n'],
      ['echo $0 $-', /^bash \w*i\w*\n$/],
      ['set -o | grep monitor', /on\n$/],
      ['stty -a >/dev/null; stty raw', ''],
      ['echo raw; stty cooked -echo -onlcr', 'raw\n'],
      ['stty echo; echo a', 'a\n'],
      ['echo b', 'b\n'],
      ['stty sane', ''],
      ['echo c', 'c\r\n'],
      ['false', '', 1],
      ["printf '\\033[31mred\\033[0m \\033]0;title\\007end\\033(B'", 'red end'],
    ],
  },
]

const matcherOf = (output: string | RegExp) => (typeof output === 'string' ? output : (expect.stringMatching(output) as string))

/** Registers the cases. `open` creates a machine with an empty work directory. */
export function describeShell(
  name: string,
  mode: Mode,
  open: () => Promise<{ machine: Pick<Machine, 'open' | 'write'>; close: () => Promise<void> }>,
): void {
  describe(`a shell in ${name}, ${mode === 'pipe' ? 'with pipes' : 'on a terminal'}`, () => {
    let opened: Awaited<ReturnType<typeof open>>
    let shell: Shell
    beforeAll(async () => void (opened = await open()))
    afterAll(() => opened.close())
    afterEach(() => shell.end())

    let folders = 0
    const start = async (options: Partial<ShellOptions> = {}) => {
      const terminal = mode === 'terminal' ? { columns: 100, rows: 30 } : null
      shell = await openShell(opened.machine, { terminal, graceSec: 0.5, ...options })
      folders += 1
      await exec(`mkdir case-${folders} && cd case-${folders}`)
    }
    const exec = (command: string, timeoutSec = 60, maxOutputBytes = 100_000) => shell.exec({ command, timeoutSec, maxOutputBytes })
    const expectAlive = async () => expect(await exec('echo alive')).toMatchObject({ output: 'alive\n', exitCode: 0, sessionEnd: null })
    /** Resolves when this text has been printed. */
    const printed = (text: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      let output = ''
      const stop = shell.onBytes((bytes) => {
        output += bytes.toString('latin1')
        if (output.includes(text)) resolve()
      })
      return promise.finally(stop)
    }

    it.each(CASES.filter((one) => one.in === undefined || one.in === mode))('$name', async ({ steps, ends = false }) => {
      await start()
      const answers = []
      for (const [command] of steps) {
        const { output, exitCode, sessionEnd, timedOut } = await exec(command)
        answers.push({ command: command.slice(0, 80), output, exitCode, sessionEnd, timedOut })
      }
      const expectedAnswers = steps.map(([command, output, exitCode = 0], index) => ({
        command: command.slice(0, 80),
        output: matcherOf(output),
        exitCode,
        sessionEnd: ends && index === steps.length - 1 ? 'exited' : null,
        timedOut: false,
      }))
      expect(answers).toEqual(expectedAnswers)
      expect(shell.state).toBe(ends ? 'ended' : 'ready')
    })

    it('runs nothing after its end', async () => {
      await start()
      await exec('exit')
      await expect(exec('true')).rejects.toMatchObject({ code: 'ended' })
    })

    const endOf = (result: ShellResult) => ({ timedOut: result.timedOut, sessionEnd: result.sessionEnd, signalSent: result.signalSent, exitCode: result.exitCode }) // prettier-ignore

    it('stops a command after its timeout, and keeps the state of the shell', async () => {
      await start()
      for (const command of ['x=kept; cd /; sleep 1000; echo no', 'while :; do :; done', 'sleep 1000 | sleep 1000', 'sleep 1000 & wait']) {
        const result = await exec(command, 0.2)
        expect({ command, ...endOf(result) }).toEqual({ command, timedOut: true, sessionEnd: null, signalSent: 'INT', exitCode: 130 })
        expect(result.output).not.toContain('no')
      }
      expect((await exec('echo $?; echo $x; pwd; jobs -r')).output).toBe('130\nkept\n/\n')
    })

    it('kills a program that ignores interrupts', async () => {
      await start()
      const result = await exec("(trap '' INT QUIT; echo deaf; sleep 1000; sleep 1000)", 0.2)
      expect(endOf(result)).toEqual({ timedOut: true, sessionEnd: null, signalSent: 'KILL', exitCode: 137 })
      expect(result.output).toContain('deaf\n')
      await expectAlive()
      const trapped = await exec("trap '' INT; sleep 1000", 0.2)
      expect([131, 137]).toContain(trapped.exitCode)
      await expectAlive()
    })

    it('is ended and reported as lost when it does not answer', async () => {
      await start()
      const result = await exec("trap '' INT; echo loop; while :; do :; done", 0.2)
      expect(endOf(result)).toEqual({ timedOut: true, sessionEnd: 'lost', signalSent: 'KILL', exitCode: null })
      expect(result.output).toBe('loop\n')
      expect(shell.state).toBe('ended')
    })

    it('stops a command that prints without end', async () => {
      await start()
      const result = await exec('yes', 0.5, 1000)
      expect(endOf(result)).toMatchObject({ timedOut: true, sessionEnd: null, exitCode: 130 })
      expect(result.output).toMatch(/^y\ny\n[^]*\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/)
      expect(result.output.length).toBeLessThan(1100)
      await expectAlive()
    })

    it('interrupts only the running command on request', async () => {
      await start()
      const ready = printed('ready')
      const result = exec('sleep 1000 & echo ready; sleep 1000; echo no')
      await ready
      await expect(exec('true')).rejects.toMatchObject({ code: 'busy' })
      await shell.interrupt()
      expect(endOf(await result)).toEqual({ timedOut: false, sessionEnd: null, signalSent: 'INT', exitCode: 130 })
      await expectAlive()
      await shell.interrupt() // nothing runs
      await expectAlive()
    })

    it('runs the next command completely, whenever the previous interrupts came', async () => {
      await start({ graceSec: 0.005 })
      const loop = mode === 'pipe' ? 'while :; do /bin/true; done' : 'sleep 1000' // on a terminal bash can take an interrupt during a fork for the end of its input
      for (let round = 0; round < soaking(8, 20); round += 1) {
        const ready = printed('ready')
        const running = exec(`sleep 1000 & echo ready; ${round % 2 === 0 ? 'sleep 1000' : loop}; echo no`)
        await ready
        while (shell.state === 'busy') await Promise.all([shell.interrupt(), nextTurn()])
        expect(endOf(await running)).toEqual({ timedOut: false, sessionEnd: null, signalSent: 'INT', exitCode: 130 })
        await expectAlive()
      }
    })

    it('keeps the start and the end of ten megabytes', async () => {
      await start()
      const result = await exec("echo first; head -c 10000000 /dev/zero | tr '\\0' é; echo last", 60, 10_000)
      expect(result).toMatchObject({ truncated: true, exitCode: 0 })
      expect(result.outputBytes).toBe(10_000_011)
      expect(result.output).toMatch(/\n\[\.\.\. 999\d\d\d\d bytes left out \.\.\.\]\n/)
      expect([result.output.startsWith('first\n'), result.output.endsWith('last\n')]).toEqual([true, true])
      const small = await exec('echo é; echo 日本; seq 1000; echo 日本', 60, 9)
      expect(small.output).not.toContain('\ufffd')
    })

    it('separates late output of a background job from the next command', async () => {
      await start()
      const { output } = await exec('{ until [ -e go ]; do sleep 0.01; done; echo late; } 2>/dev/null &')
      expect(output).toMatch(/^\[1\] \d+\n$/)
      const late = printed('late')
      const first = await exec('touch go')
      await late
      const second = await exec('echo next; (exit 6)')
      expect(second).toMatchObject({ output: expect.stringMatching(/^next\n/) as string, exitCode: 6 })
      expect(first.output + second.before).toContain('late\n')
    })

    it('refuses a NUL, which bash cannot hold', async () => {
      await start()
      await expect(exec('echo a\0b')).rejects.toMatchObject({ code: 'invalid_command' })
      await expectAlive()
    })

    it('can be ended together with the running command', async () => {
      await start()
      const ready = printed('ready')
      const result = exec("trap '' HUP INT TERM; echo ready; sleep 1000")
      await ready
      await shell.end()
      expect((await result).sessionEnd).toBe('exited')
      expect(shell.state).toBe('ended')
      await expect(exec('true')).rejects.toMatchObject({ code: 'ended' })
    })

    it('gives the same answer every time', async () => {
      await start()
      for (let n = 0; n < 250; n += soaking(5, 1)) {
        expect(await exec(`echo ${n}; echo e${n} >&2; (exit ${n})`)).toMatchObject({ output: `${n}\ne${n}\n`, exitCode: n })
      }
    })

    it.runIf(mode === 'pipe')('refuses typed input', async () => {
      await start()
      expect(() => shell.write(Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'no_terminal' }))
    })
    it.runIf(mode === 'terminal')('accepts typed input and resizes while a command runs', async () => {
      await start()
      const ready = printed('ready')
      const result = exec('echo ready; read -r x; echo "got $x"; stty size')
      await ready
      shell.resize(120, 40)
      shell.write(Buffer.from('hello\n'))
      expect(await result).toMatchObject({ output: 'ready\ngot hello\n40 120\n', exitCode: 0 })
    })
    it.runIf(mode === 'terminal')('stops a program that reads the terminal', async () => {
      await start()
      expect(endOf(await exec('cat', 0.2))).toEqual({ timedOut: true, sessionEnd: null, signalSent: 'INT', exitCode: 130 })
      expect(endOf(await exec('stty raw; cat', 0.2))).toEqual({ timedOut: true, sessionEnd: null, signalSent: 'KILL', exitCode: 137 })
      await expectAlive()
      expect(endOf(await exec('stty sane -echo -onlcr; kill -INT $$; echo no'))).toEqual({
        timedOut: false,
        sessionEnd: null,
        signalSent: null,
        exitCode: 130,
      })
      await expectAlive()
    })
    it.runIf(mode === 'terminal')('reports a finished background job', async () => {
      await start()
      await exec('sleep 0.05 &')
      const { output, before } = await exec('wait; true')
      const next = await exec('true')
      expect(output + before + next.before).toMatch(/\[1\]\+ +Done +sleep 0\.05/)
    })

    if (mode === 'pipe') return
    describe('while a person has the terminal', () => {
      /** Records typed commands with their results; `type` resolves when its command has ended. */
      const listen = () => {
        const typedCommands: { command: string; output?: string; exitCode?: number; sessionEnd?: string | null }[] = []
        const emitter = new EventEmitter()
        const listener = {
          maxOutputBytes: 10_000,
          onStart: (command: string) => void typedCommands.push({ command }),
          onEnd({ output, exitCode, sessionEnd }: TypedResult) {
            Object.assign(typedCommands.at(-1)!, { output, exitCode, sessionEnd })
            emitter.emit('end')
          },
        }
        const type = async (text: string) => {
          const ended = once(emitter, 'end')
          shell.write(Buffer.from(text))
          await ended
        }
        return { typedCommands, listener, type }
      }

      it('reports typed commands although PROMPT_COMMAND is read-only', async () => {
        await start()
        await exec('readonly PROMPT_COMMAND')
        const { typedCommands, listener, type } = listen()
        await shell.takeOver(listener)
        await type('(exit 3)\r')
        await type('echo typed\r')
        await shell.handBack()
        expect(typedCommands.map(({ command, output, exitCode }) => [command, output, exitCode])).toEqual([
          ['(exit 3)', '', 3],
          ['echo typed', 'typed\n', 0],
        ])
        expect(await exec('echo again')).toMatchObject({ output: 'again\n' })
      })

      it('reports each typed command, and keeps the state of the shell afterwards', async () => {
        await start()
        await exec('x=api; cd /usr')
        const { typedCommands, listener, type } = listen()
        await shell.takeOver(listener)
        await expect(exec('true')).rejects.toMatchObject({ code: 'busy' })
        await type('echo "$x $PWD"; y=person\r')
        await type('false\r')
        await type('for i in 1 2\rdo echo $i; done\r')
        await type('echo wrong\x15echo right\r')
        await type('\x1b[A\r')
        await type('echo "é 漢" \x1b[D\x1b[D!\r')
        await shell.handBack()
        expect(typedCommands.map(({ command, output, exitCode }) => [command, output, exitCode])).toEqual([
          ['echo "$x $PWD"; y=person', 'api /usr\n', 0],
          ['false', '', 1],
          ['for i in 1 2; do echo $i; done', '1\n2\n', 0],
          ['echo right', 'right\n', 0],
          ['echo right', 'right\n', 0],
          ['echo "é 漢!"', 'é 漢!\n', 0],
        ])
        expect(await exec('echo "$x $y $PWD"; stty -a | grep -o -- "-echo \\|-onlcr"')).toMatchObject({
          output: 'api person /usr\n-onlcr\n-echo \n',
          before: '',
          exitCode: 0,
        })
        const secondListener = listen()
        await shell.takeOver(secondListener.listener)
        await secondListener.type('echo again\r')
        await shell.handBack()
        expect(secondListener.typedCommands).toMatchObject([{ command: 'echo again', output: 'again\n' }])
        await expectAlive()
      })

      it.each([
        ['an unfinished line', 'echo "never\rmore', 'more', []],
        ['a program that ends at an interrupt', 'echo be"gun"; sleep 1000\r', 'begun', [{ exitCode: 130 }]],
        [
          'a program that ignores an interrupt',
          `sh -c 'trap "" INT QUIT; echo be"gun"; sleep 1000; sleep 1000'\r`,
          'begun',
          [{ exitCode: 137 }],
        ],
      ])('hands back in the middle of %s', async (_name, text, marker, expected) => {
        await start()
        const { typedCommands, listener } = listen()
        await shell.takeOver(listener)
        const markerPrinted = printed(marker)
        shell.write(Buffer.from(text))
        await markerPrinted
        await shell.handBack()
        expect(typedCommands).toMatchObject(expected)
        await expectAlive()
      })

      it('interrupts a typed command on request', async () => {
        await start()
        const { typedCommands, listener, type } = listen()
        await shell.takeOver(listener)
        const begun = printed('begun')
        const ended = type('echo be"gun"; sleep 1000\r')
        await begun
        await shell.interrupt()
        await ended
        expect(typedCommands).toMatchObject([{ exitCode: 130 }])
        await shell.handBack()
        await expectAlive()
      })

      it('reports a typed command that ends the shell', async () => {
        await start()
        const { typedCommands, listener, type } = listen()
        await shell.takeOver(listener)
        await type('exit 7\r')
        expect(typedCommands).toMatchObject([{ command: 'exit 7', exitCode: 7, sessionEnd: 'exited' }])
        expect(shell.state).toBe('ended')
        await shell.handBack()
      })
    })
  })
}
