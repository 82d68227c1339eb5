/**
 * Raise it when a reader makes other rows of the same bytes: the next start then derives the sessions that were imported before
 * again. 2: the chain of a conversation, what began a turn, who answered; damage, all parts of the usage, changes of commands.
 * 3: numbers that a double cannot hold stay text. 4: the commits of a session. 5: the name of
 * a model of the user's own that answered. 6: when responses came, and how a session was started. 7: which entries a response has, and how
 * long a session waited for the user.
 */
export const READER_VERSION = 7
