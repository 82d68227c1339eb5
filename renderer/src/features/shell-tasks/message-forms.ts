/** What a message of a model at a shell is. */
export const MESSAGE_FORMS = [
  { value: 'command', label: 'Command', meaning: 'Each message is run as one command, word for word.' },
  { value: 'terminal', label: 'Tool call', meaning: 'Each message is a call of the terminal tool.' },
] as const
