/**
 * What can be measured, by the name that `--type` takes. `path` and `body` are the request to this product and to the
 * yardstick alike, `platformBody` is the same message as the platform takes it, for the direct measurement.
 *
 * `{recipient}` stands for four digits and `{reference}` for ten; the load generator varies both. A new type needs an
 * entry here and a route in `naive/api.mjs`.
 */
export const messageTypes = {
  button: {
    path: '/api/v1/external/messages/interactive/button',
    body: JSON.stringify({
      to: '+1415555{recipient}',
      body: 'Pick one',
      buttons: [
        { id: 'yes', title: 'Yes' },
        { id: 'no', title: 'No' },
      ],
      reference: 'bench-{reference}',
    }),
    platformBody: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+1415555{recipient}',
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Pick one' },
        action: {
          buttons: [
            { type: 'reply', reply: { id: 'yes', title: 'Yes' } },
            { type: 'reply', reply: { id: 'no', title: 'No' } },
          ],
        },
      },
      biz_opaque_callback_data: 'bench-direct-{reference}',
    }),
  },
};
