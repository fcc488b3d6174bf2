/** An endpoint is switched off when it has had no success for this long and failed this often. */
export const webhookPatience = { hours: 120, failures: 12 };
