/** An example task for `bashgym batch` and the form of a batch. */
export const LINE = '{"id": "adder", "prompt": "Make add() add.", "directory": "adder", "verify": "npm test"}'
