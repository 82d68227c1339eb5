import { expect, test } from 'vitest'
import { rewritten, runnerCommandOf } from './script.ts'

const runnerIn = (text: string, more: Record<string, string> = {}) => runnerCommandOf({ test: text, ...more }, 'test')?.runner ?? null

test.each([
  ['vitest --run', 'vitest'],
  ['jest 2>&1 | tee jest.log', 'jest'],
  ['jest || exit 1', 'jest'],
  ['tsc && cross-env CI=1 npx vitest run', 'vitest'],
  ['NODE_OPTIONS="--no-warnings --x" node --test', 'node'],
  ['node --experimental-vm-modules node_modules/jest/bin/jest.js', 'jest'],
  ['c8 --reporter text mocha', 'mocha'],
  ['yarn run jest', 'jest'],
  ['react-scripts test', 'jest'],
  ['bats test', 'bats'],
  ['npm run unit', 'mocha'],
  ['npm run unit -- --grep x', 'mocha'],
  ['npm run loop', null],
  ['jest && jest -c other', null], // the second report would hide the first
  ['vitest run && eslint .', null],
  ['npm run unit && vitest run', 'vitest'],
  ['jest $(cat list)', null],
  ['(cd a && jest)', null],
  ['echo "jest', null],
  ['./run jest', null],
])('the runner that "%s" starts is %s', (text, wanted) => {
  expect(runnerIn(text, { unit: 'mocha', loop: 'npm run loop' })).toBe(wanted)
})

test('only the words of the runner change, and options that disagree are dropped with their values', () => {
  const change = (text: string, place: 'first' | 'last', more = {}) =>
    rewritten(runnerCommandOf({ test: text }, 'test')!, {
      drop: { flags: ['--run', '-b'], values: ['--reporter', '--outputFile'] },
      add: { text: '--ours', place },
      ...more,
    }).replaceAll(/ +/g, ' ')
  expect(change("tsc && vitest --run --reporter verbose --outputFile.json=a 'a b' 2>&1 | tee log", 'last')).toBe("tsc && vitest 'a b' --ours 2>&1 | tee log")
  expect(change('X=1 node --test --reporter=dot a', 'first')).toBe('X=1 node --ours --test a')
  expect(change('mocha -b a -- --run', 'last')).toBe('mocha a --ours -- --run')
  expect(change('bats test | tee log', 'first', { redirection: '>file' })).toBe('bats --ours test >file | tee log')
}) // prettier-ignore
