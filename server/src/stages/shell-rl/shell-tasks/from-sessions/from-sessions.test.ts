import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { shellSession, type ShellTurn } from '#server/testing/shell-session.ts'
import { useFolder } from '#server/testing/folders.ts'
import { importSession, useServer } from '#server/testing/use.ts'

describe('shell tasks from a session', () => {
  const root = useFolder()
  const server = useServer()

  async function proposed(...turns: ShellTurn[]) {
    const { sessionId, text } = shellSession('/home/ada/site', turns)
    return server.client.proposeShellTasks({ body: { traceId: await importSession(server, root, sessionId, text) } })
  }

  it('have an instruction without commands, a set-up, a check, and the commands as solution', async () => {
    const { proposals, calls } = await proposed({
      prompt: 'Put the notes into an archive. Please mkdir a folder for it. Ask ada.byron@acme-corp.com if in doubt.',
      commands: ['ls', 'mkdir -p out && mv notes.txt out/', 'tar -czf out.tgz out', 'cat out/notes.txt'],
    })
    expect(calls).toBe(4)
    const [{ task, setup, referenceSolution, steps, notes, isStored } = proposals[0]!] = proposals
    expect(proposals).toHaveLength(1)
    expect(task).toContain('Put the notes into an archive. Ask ')
    expect(task).not.toMatch(/mkdir|ada.byron|\bmv\b|\btar -/)
    expect(task).toContain('- /srv/project/out/notes.txt has the content that /srv/project/notes.txt has at the start.')
    expect(setup[0]).toBe('mkdir -p /srv/project')
    expect(referenceSolution).toBe('cd /srv/project\nmkdir -p out\nmv notes.txt out/\ntar -czf out.tgz out')
    expect(steps.map(({ command }) => command)).toEqual(['mkdir -p out && mv notes.txt out/', 'tar -czf out.tgz out'])
    expect(notes).toContain('Sentences of the prompt that name a command were removed.')
    expect(isStored).toBe(false)
  })

  it('are not proposed, with the reason, for calls that failed, need a network or a home folder, or have unknown effects', async () => {
    const { proposals, leftOut } = await proposed(
      { prompt: 'a', commands: ['curl -o page.html https://example.com', 'mkdir -p a/b && touch a/b/c'] },
      { prompt: 'b', commands: ['mkdir -p /home/ada/site/a/b && touch /home/ada/site/a/b/c'] },
      { prompt: 'c', commands: [{ command: 'mkdir -p x && touch x/y', fails: true }] },
      { prompt: 'd', commands: ['rm -f build/*.o', 'npm run build', 'make all'] },
      { prompt: 'e', commands: ['mkdir logs'] },
      { prompt: 'f', commands: ['mkdir -p t/u', 'rm -r t'] },
      { prompt: 'g', commands: ['sort names.txt > sorted.txt'] },
    )
    expect(proposals).toEqual([])
    expect(leftOut.map(({ reason, steps }) => `${steps.length} ${reason}`)).toEqual([
      '2 It may need the network (curl), which a sandbox does not have.',
      '1 It uses a path in a home folder, which a sandbox does not have.',
      '2 It has a file name pattern, and the session does not show which files existed.',
      '1 The command does not show what make changes.',
      '1 A single trivial action would solve it, so it would not be a test.',
      '2 None of its changes exist at the end.',
      '1 It writes the output of sort, which depends on earlier files.',
    ])
  })

  it('accept a leading cd into the project', async () => {
    const { proposals, leftOut } = await proposed(
      {
        prompt: 'Pack.',
        commands: ['cd /home/ada/site && mkdir -p out && mv notes.txt out/', 'cd "/home/ada/site/out"; mv notes.txt old.txt'],
      },
      { prompt: 'There.', commands: ['cd /home/ada/site/pages\nmv a.html b.html'] },
      { prompt: 'Elsewhere.', commands: ['cd /home/ada/other && mv a b', 'cd /home/ada/site || mkdir -p x/y && touch x/y/z'] },
    )
    expect(proposals.map(({ referenceSolution }) => referenceSolution)).toEqual([
      'cd /srv/project\nmkdir -p out\nmv notes.txt out/\ncd /srv/project/out\nmv notes.txt old.txt',
      'cd /srv/project\nmv a.html b.html',
    ])
    expect(leftOut.map(({ reason }) => reason)).toEqual(['It uses a path in a home folder, which a sandbox does not have.'])
  })

  it.skipIf(findBubblewrap() === null)('can be stored with their session, and pass validation', async () => {
    const { proposals, traceId } = await proposed(
      { prompt: 'Move the pages.', commands: ['cp -r pages old', 'cd old && chmod u+x part.txt', 'rm index.html'] },
      { prompt: 'Settings, please.', commands: ["mkdir -p conf && cat > conf/app.ini <<'EOF'\n[a]\nb = $c\nEOF", 'echo done >> log.txt'] },
      {
        prompt: 'Tidy up.',
        commands: ['rm a.lock b.lock; ln -s conf/app.ini current', "printf '%s\\n' one two > list", 'gzip list && chmod 600 key.pem'],
      },
      { prompt: 'And pack.', commands: ['mkdir -p dist/x', 'mv src dist/x/lib', 'cd dist; tar cf ../all.tar x'] },
    )
    expect(proposals).toHaveLength(4)
    for (const { task, setup, check, difficulty, referenceSolution, id, steps } of proposals) {
      const body = {
        task,
        setup,
        check,
        difficulty,
        referenceSolution,
        source: 'session' as const,
        extra: { traceId, steps: steps.map((one) => one.id) },
      }
      const stored = await server.client.createShellTask({ body })
      expect(stored).toMatchObject({ id, source: 'session', split: 'own', extra: { traceId } })
      await server.app.core.jobs.wait((await server.client.validateShellTask({ params: { id }, body: {} })).id)
      const { validation } = await server.client.getShellTask({ params: { id } })
      const notPassed = validation!.verdicts.filter(({ verdict }) => verdict !== 'pass')
      expect(notPassed).toEqual([])
    }
    const secondProposals = await server.client.proposeShellTasks({ body: { traceId } })
    expect(secondProposals.proposals.map(({ isStored }) => isStored)).toEqual([true, true, true, true])
  })
})
