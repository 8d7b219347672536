// Prints the types of a client for the OpenAPI document that is read from standard input.
import { json } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

process.stdout.write(astToString(await openapiTS(await json(process.stdin))));
