import { ConfigurationError } from '@bae/core';

/** Where a server was to listen, and the command that starts it at any free port. */
interface ListenAttempt {
  readonly address: string;
  readonly port: number;
  readonly retry: string;
}

/** Explains why a server cannot listen; an error that is not of the system is returned as it is. */
export function explainListenFailure(
  error: NodeJS.ErrnoException,
  { address, port, retry }: ListenAttempt,
): NodeJS.ErrnoException {
  const { code } = error;
  if (code === undefined) return error;
  const [reason, remedy] = nameReason(code, { address, port, retry });
  return new ConfigurationError(reason, [remedy], error);
}

function nameReason(code: string, { address, port, retry }: ListenAttempt): readonly [reason: string, remedy: string] {
  switch (code) {
    case 'EADDRINUSE':
      return [`the port ${port} is taken.`, retry];
    case 'EACCES':
    case 'EPERM':
      return [`the system does not let this user listen at port ${port}.`, retry];
    case 'ERR_SOCKET_BAD_PORT':
      return [`there is no port ${port}: the last one is 65535.`, retry];
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [`${address} is no address of this machine.`, `${retry} --address 127.0.0.1`];
    default:
      return [`cannot listen at ${address}, port ${port}: ${code}.`, retry];
  }
}
