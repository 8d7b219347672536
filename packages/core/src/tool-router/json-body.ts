/** The entries of a body that is one JSON object; undefined for any other text. */
export function jsonBody(body: string): readonly (readonly [name: string, value: unknown])[] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.entries(value);
  } catch {
    return undefined;
  }
}
