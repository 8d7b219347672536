/** Name under which the server tells its clients that something about a session was committed. */
export const CHANNEL = 'bae';
