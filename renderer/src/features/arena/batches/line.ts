/** A task as `bashgym batch` and the form of a batch take it. */
export const LINE = '{"id": "adder", "prompt": "Make add() add.", "directory": "adder", "verify": "npm test"}'
