import type { Options } from '@node-rs/argon2';

/** argon2id, the library's default algorithm, with the cost that OWASP's ASVS asks for. */
export const passwordHashOptions: Options = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };
