import { useState, type ReactNode } from 'react'
import type { ShellTask } from '#contracts/entities/shell-task.ts'
import { LinesRow } from '#renderer/ui/form-rows.tsx'

type Texts = Pick<ShellTask, 'task' | 'setup' | 'check' | 'referenceSolution'>

/** Form fields for the texts of a shell task. Returns the fields, the typed texts, and which text is missing. */
export function useTextFields(start: Texts, solutionHint: string): { rows: ReactNode; texts: Texts; missing: string | null } {
  const [text, setText] = useState(start.task)
  const [setup, setSetup] = useState(start.setup.join('\n\n'))
  const [check, setCheck] = useState(start.check)
  const [solution, setSolution] = useState(start.referenceSolution ?? '')
  return {
    rows: (
      <>
        <LinesRow isWhole label="Task" hint="What to achieve. Do not name the command." value={text} onChange={setText} />
        <LinesRow
          isWhole
          label="Set-up commands"
          hint="Run in this order, in one shell. An empty line separates them."
          value={setup}
          onChange={setSetup}
        />
        <LinesRow isWhole label="Check" hint="One command; exit code 0 means solved." value={check} onChange={setCheck} />
        <LinesRow isWhole label="Reference solution" hint={solutionHint} value={solution} onChange={setSolution} />
      </>
    ),
    texts: {
      task: text,
      setup: setup
        .split(/\n\s*\n/)
        .map((command) => command.trim())
        .filter(Boolean),
      check,
      referenceSolution: solution.trim() === '' ? null : solution,
    },
    missing: text.trim() === '' ? 'The task is empty.' : check.trim() === '' ? 'The check is empty.' : null,
  }
}
