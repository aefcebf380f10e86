import type { demo as source } from "../en/demo";

/** What `zqagent demo` says, in Spanish. */
export const demo: Record<keyof typeof source, string> = {
  prompt: "Una prueba de este proyecto falla. Averigua por qué, arréglala y muéstrame que funciona.",
  start: "Primero ejecuto las pruebas, para ver qué falla.",
  look: "Falla una prueba: diez piezas deberían tener el descuento por cantidad. Voy a leer juntos el código y su prueba.",
  found:
    "Lo encontré. `src/cart.js` dice en su propio comentario que el descuento empieza **con la décima** pieza, pero compara con `>`: justo diez se quedan fuera.\n\nEl arreglo es de un solo carácter:",
  again: "Ahora, las mismas pruebas otra vez:",
  done: "Todas las pruebas pasan.\n\n| qué | dónde |\n| --- | --- |\n| causa | `count > 10` deja fuera justo diez |\n| arreglo | `count >= 10` en `src/cart.js:5` |\n| comprobado | `node --test`, todas las pruebas |\n\nLa última palabra es tuya, también después: **cada turno es una instantánea**.\n\n- `/diff` muestra lo que cambió este turno\n- `/rollback` devuelve los archivos a como estaban (desde fuera: `zqagent rollback --turn 0`)",
  deniedCommand:
    "Entendido: el comando no se ejecutó y no buscaré otra manera de saltarme tu respuesta.\n\nNo se ha cambiado nada. Para empezar de nuevo, pídelo con las mismas palabras y pulsa `y` cuando llegue la pregunta.",
  deniedEdit:
    "Entendido: el archivo se queda como está.\n\nLa causa, por si quieres arreglarlo tú: `src/cart.js:5` compara con `>` donde su comentario promete un descuento desde la décima pieza, así que debe ser `>=`.",
  failed:
    "Eso no salió como se esperaba. El modelo de la demo solo conoce su historia; el mensaje de arriba dice qué pasó.",
  other:
    "Solo soy el modelo con guion de la demo: conozco una historia y ya la he contado. Prueba `/diff`, `/rollback`, `/help`, o Shift-Tab para los modos.\n\nPara un modelo de verdad, define una clave y un modelo e inicia zqagent en una carpeta tuya:\n\n```sh\nexport OPENAI_API_KEY=…\nexport OPENAI_MODEL=…        # como lo llame tu servicio\nexport OPENAI_BASE_URL=…     # cualquier servicio compatible con OpenAI; opcional\nzqagent\n```",
  transcriptHead:
    "zqagent demo: un modelo con guion trabaja en un proyecto de ejemplo; sin clave y sin red.\nSin terminal no hay nadie a quien preguntar, así que aquí se permite todo. En una terminal decides tú con una tecla.\n",
  transcriptTail: "\nAhora de verdad: export OPENAI_API_KEY=… OPENAI_MODEL=… e inicia zqagent en tu propio proyecto.",
  sessionName: "Arreglar el descuento",
  goodbye:
    "El proyecto de ejemplo era temporal y ya no existe. Ahora de verdad:\n  export OPENAI_API_KEY=…   export OPENAI_MODEL=…   (OPENAI_BASE_URL para otros servicios)\n  zqagent",
};
