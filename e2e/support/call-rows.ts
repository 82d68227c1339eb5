/** What a user may ask for the call `ls`. */
export const LS_PROMPTS = ['List the files.', 'Show the files of this folder.', 'What files are here?', 'ls please']

const COMMANDS = Object.entries({ 'List the files': 'ls', 'Where am I': 'pwd', 'Print the date': 'date' })
export const BASH_TOOL = {
  type: 'function',
  function: {
    name: 'Bash',
    description: 'Runs a command.',
    parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
}

/** Rows that a tiny model learns by heart: a prompt, a call, its result, and a word at the end. */
export const callRows = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const [prompt, command] = COMMANDS[at % COMMANDS.length]!
    return {
      messages: [
        { role: 'user', content: prompt },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'Bash', arguments: { command } } }],
        },
        { role: 'tool', content: 'fine', tool_call_id: 'c1', name: 'Bash' },
        { role: 'assistant', content: 'Done.' },
      ],
      tools: [BASH_TOOL],
    }
  })
