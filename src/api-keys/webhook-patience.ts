/** An endpoint without a success for so long, and after so many failures, is switched off. */
export const webhookPatience = { hours: 120, failures: 12 };
