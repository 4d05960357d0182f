/** A database that cannot be opened; its message is for the person who starts the server. */
export class DatabaseError extends Error {}
