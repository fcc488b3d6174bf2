/**
 * What can be measured, by the name that `--type` takes. `path` and `body` are the request to this product and to the
 * yardstick alike, `platformBody` is the same message as the platform takes it, for the direct measurement.
 *
 * `mapping` is what the product needs before the first request: a template that the simulator has, and the variables of
 * the key for it.
 *
 * `{recipient}` is replaced by four digits and `{reference}` by ten; the load generator varies both. A new type needs an
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
  template: {
    path: '/api/v1/external/messages/template/send',
    mapping: {
      name: 'order_confirmation',
      variables: {
        name: { component: 'body', position: 1, required: true },
        order: { component: 'body', position: 2, required: true },
        day: { component: 'body', position: 3, required: true },
        order_path: { component: 'button', button_index: 0, required: true },
      },
    },
    body: JSON.stringify({
      to: '+1415555{recipient}',
      template_name: 'order_confirmation',
      language: 'en_US',
      variables: { name: 'Jessica', order: 'SKBUP2', day: 'Friday', order_path: 'SKBUP2' },
      reference: 'bench-{reference}',
    }),
    platformBody: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+1415555{recipient}',
      type: 'template',
      template: {
        name: 'order_confirmation',
        language: { code: 'en_US' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Jessica' },
              { type: 'text', text: 'SKBUP2' },
              { type: 'text', text: 'Friday' },
            ],
          },
          {
            type: 'button',
            sub_type: 'url',
            index: '0',
            parameters: [{ type: 'text', text: 'SKBUP2' }],
          },
        ],
      },
      biz_opaque_callback_data: 'bench-direct-{reference}',
    }),
  },
};
