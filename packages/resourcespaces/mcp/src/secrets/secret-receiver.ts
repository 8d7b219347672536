import type { OAuthClientProvider } from '@modelcontextprotocol/client';

export type Discovery = NonNullable<Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>>;

/** The authorization server that a client secret is sent to. The server that wants the login names it. */
export interface SecretReceiver {
  /** Its identifier, an address. */
  readonly issuer: string;
  /** Origin of the address that takes the secret in exchange for tokens. */
  readonly origin: string;
}

/** Determines who would receive a secret now. */
export function findReceiver(issuer: string, discovery: Discovery | undefined): SecretReceiver {
  const { token_endpoint: endpoint = issuer } = discovery?.authorizationServerMetadata ?? {};
  return { issuer: normalizeIssuer(issuer), origin: new URL(endpoint).origin };
}

/** Removes what does not distinguish two identifiers, and encodes what does not belong into an address. */
export function normalizeIssuer(issuer: string): string {
  return new URL(issuer).href.replace(/\/$/, '');
}

export function isSameReceiver(one: SecretReceiver | undefined, other: SecretReceiver): boolean {
  return one?.issuer === other.issuer && one.origin === other.origin;
}

/** Names a receiver for a person, with the address that takes the secret if it is elsewhere. */
export function describeReceiver({ issuer, origin }: SecretReceiver): string {
  return new URL(issuer).origin === origin ? issuer : `${issuer} at ${origin}`;
}
