import { describe, expect, it } from 'vitest'
import { commandPattern, inputPattern } from './complexity.ts'
import { readCommand } from './shell/read-command.ts'

describe('the pattern of a command', () => {
  it.each([
    ['git status', 'git'],
    ['/usr/bin/git log', 'git'],
    ['FOO=1 npm test', 'npm'],
    ['cd x && make', 'cd'],
    ['cat a | grep b', 'cat'],
    ['python3 a.py', 'python'],
    ['python3.11 a.py', 'python'],
    ['python2 a.py', 'python2 a.py'],
    ['pip install x', 'pip install'],
    ['pip3 -q install x', 'pip install'],
    ['pip list', 'pip list'],
    ['npx jest', 'npx jest'],
    ['sudo npm i', 'sudo npm i'],
    ['(cd x)', '(cd x)'],
    ['{ ls; }', '{ ls; }'],
    ['if ls; then ls; fi', 'if ls; then ls; fi'],
    ['for f in *; do cat $f; done', 'for f in *; do cat $f; done'],
    ['git "unclosed', 'git "unclosed'],
    ['  echo hi  ', 'echo hi'],
    ['# look\nls -la', 'ls'],
    ['"git" status', 'git'],
    ['X=1', 'X=1'],
    [`echo ${'x'.repeat(80)}`, `echo ${'x'.repeat(45)}`],
    [`echo ${'💡'.repeat(80)}`, `echo ${'💡'.repeat(45)}`],
  ])('%s → %s', (text, pattern) => {
    expect(commandPattern(text, readCommand(text).opening)).toBe(pattern)
  })

  it('is the first target of the input for a step without a command', () => {
    expect(inputPattern({ query: 'q', path: '/p', file_path: `/${'f'.repeat(60)}` })).toBe(`/${'f'.repeat(49)}`)
    expect(inputPattern({ pattern: 'x', url: 'u' })).toBe('x')
    expect(inputPattern({ prompt: 'x' })).toBeNull()
  })
})

describe('structure', () => {
  const shape = (text: string) => {
    const { hasIf, hasLoop, hasPipeline, hasList } = readCommand(text).structure
    return [hasIf && 'if', hasLoop && 'loop', hasPipeline && 'pipeline', hasList && 'list'].filter(Boolean).join(' ')
  }
  it.each([
    ['if a; then b; elif c; then d; fi', 'if'],
    ['case x in a) b;; esac', ''],
    ['[[ -f x && -f y ]]', ''],
    ['(( a && b || c ))', ''],
    ['for i in 1; do a; done', 'loop'],
    ['for ((i=0;i<3;i++)); do a; done', 'loop'],
    ['while a; do b; done', 'loop'],
    ['until a; do b; done', 'loop'],
    ['select x in a; do b; done', 'loop'],
    ['a | b', 'pipeline'],
    ['a |& b', 'pipeline'],
    ['time a', ''],
    ['! a', ''],
    ['a && b', 'list'],
    ['a || b', 'list'],
    ['a; b', ''],
    ['a & b', ''],
    ['echo "for if | &&"', ''],
    ["echo 'a | b && c'", ''],
    ['# for i in; do if a | b && c', ''],
    ['cat <<EOF\nif a; then b | c && d; fi\n$(a | b)\nEOF', ''],
    ['echo "$(a | b)"', 'pipeline'],
    ['echo `a && b`', 'list'],
    ['diff <(a | b) c', 'pipeline'],
    ['(a && b)', 'list'],
    ['{ a | b; }', 'pipeline'],
    ['f() { if a; then b; fi; }', 'if'],
    ['case x in a) for i in 1; do b; done;; esac', 'loop'],
    ['case x in a) b | c;; esac', 'pipeline'],
    ['sh -c "a | b"', ''],
    ["eval 'if a; then b; fi'", ''],
    ['x=$(a && b)', 'list'],
    ['a >$(b | c)', 'pipeline'],
    ['[[ $(a | b) ]]', 'pipeline'],
    ['a | b && if c; then', ''],
    ['for i in $(seq 3); do if a | b && c; then d; fi; done', 'if loop pipeline list'],
  ])('of %s: %s', (text, expected) => {
    expect(shape(text)).toBe(expected)
  })
})
