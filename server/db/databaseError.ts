/** The database cannot be opened; the message is logged without a stack trace. */
export class DatabaseError extends Error {}
