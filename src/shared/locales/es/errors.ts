import type { errors as source } from "../en/errors";

export const errors: Record<keyof typeof source, string> = {
  rate_limit:
    "El servicio limita cuánto se puede enviar en un tiempo dado, y eso se ha agotado.\nEspera un poco e inténtalo de nuevo.",
  quota: "La cuenta del servicio no tiene cuota ni saldo.\nRecárgala o usa otra clave.",
  auth: "El servicio rechazó la clave de API.\nRevisa OPENAI_API_KEY y que sea de ese servicio (OPENAI_BASE_URL).",
  forbidden: "El servicio no permite esto a la clave.\nMira en el servicio qué puede hacer la clave.",
  model_not_found:
    "El servicio no conoce este modelo.\nRevisa su nombre (OPENAI_MODEL, --model); `zqagent doctor` muestra los que hay.",
  endpoint_unsupported:
    "El servicio no tiene esta ruta o protocolo.\nRevisa OPENAI_BASE_URL (suele terminar en /v1) y --api-mode.",
  capability:
    "El servicio o el modelo no puede hacer lo que se le pidió, como herramientas o imágenes.\nElige otro modelo o quítalo.",
  context_overflow:
    "La conversación no cabe en la ventana del modelo, y acortarla no bastó.\nEmpieza una sesión nueva o usa un modelo con una ventana mayor.",
  payload_too_large:
    "La petición tiene más bytes de los que admite el servicio.\nEmpieza una sesión nueva o quita archivos e imágenes grandes.",
  history_invalid:
    "El servicio rechazó el orden o la forma de la conversación.\nInténtalo de nuevo; si sigue igual, empieza una sesión nueva.",
  content_filter: "El filtro de contenido del servicio detuvo la respuesta.\nFormula la petición con otras palabras.",
  output_rejected: "El servicio no pudo usar lo que escribió el modelo.\nInténtalo de nuevo o elige otro modelo.",
  malformed_response:
    "Lo que llegó no es la respuesta de un modelo.\nRevisa OPENAI_BASE_URL (suele terminar en /v1) y los proxies intermedios.",
  stream_incomplete: "La respuesta se cortó antes de terminar.\nInténtalo de nuevo; lo hecho hasta ahí se conserva.",
  stream_idle:
    "El servicio calló en mitad de una respuesta.\nInténtalo de nuevo; OPENAI_STREAM_IDLE_MS dice cuánto silencio se tolera.",
  empty_response: "El modelo no respondió nada.\nInténtalo de nuevo o elige otro modelo.",
  overloaded: "El servicio está sobrecargado o su modelo aún se está cargando.\nEspera un poco e inténtalo de nuevo.",
  server: "El servicio falló por sí mismo.\nInténtalo de nuevo; si sigue igual, mira su página de estado.",
  network:
    "No se pudo llegar al servicio o se cortó la conexión.\nRevisa la red y OPENAI_BASE_URL, e inténtalo de nuevo.",
  unsupported_param:
    "El servicio rechazó la petición.\nPrueba el otro protocolo (--api-mode) o mira qué puede hacer: `zqagent doctor --probe`.",
  tool_schema:
    "El servicio rechazó la descripción de una herramienta.\nPrueba el otro protocolo (--api-mode) u otro modelo.",
  loop_detected: "El modelo daba vueltas en círculo, así que se terminó el turno.\nDile qué debe hacer de otra manera.",
  repeating_output:
    "El modelo repetía el mismo texto una y otra vez, así que se detuvo.\nInténtalo de nuevo o elige otro modelo.",
  compaction_failed:
    "No se pudo acortar la conversación para que cupiera en la ventana del modelo.\nInténtalo de nuevo o empieza una sesión nueva; si el servidor es tuyo, dale más contexto al modelo (su ajuste de longitud de contexto).",
  budget_exceeded: "El presupuesto de esta ejecución se ha gastado.\nAuméntalo o empieza de nuevo.",
  other: "El turno terminó con un error.\nInténtalo de nuevo; --verbose muestra más.",
  tryAgainAt: "Inténtalo de nuevo a las {time}, dentro de {span}; con --wait-limits zqagent espera por sí mismo.",
  spanSeconds: "{count} s",
  spanMinutes: "{count} min",
  spanHours: "{count} h",
  spanDays: "{count} d",
};
