//! Adds to a SARIF file that was written before what became known since: which findings were confirmed by execution.

use crate::record::Record;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The file with `properties.execution` and `properties.confirmedByExecution` of results whose finding was replayed.
///
/// # Errors
/// The file is not JSON.
pub fn executions(sarif: &[u8], record: &Record) -> Result<Vec<u8>, String> {
    let mut log: Value = serde_json::from_slice(sarif).map_err(|e| e.to_string())?;
    let by_id: BTreeMap<&str, _> =
        record.findings.iter().filter_map(|e| Some((e.id.as_str(), e.failure.as_ref()?.execution.as_ref()?))).collect();
    let runs = log.get_mut("runs").and_then(Value::as_array_mut).into_iter().flatten();
    for result in runs.filter_map(|r| r.get_mut("results")?.as_array_mut()).flatten() {
        let Some(id) = result.pointer("/partialFingerprints/checkIdentity~1v1").and_then(Value::as_str) else {
            continue;
        };
        let Some(x) = by_id.get(id) else { continue };
        let (confirmed, seen) = (x.confirmed, x.seen.clone());
        if let Some(map) = result.as_object_mut() {
            let bag = map.entry("properties").or_insert_with(|| json!({}));
            bag["confirmedByExecution"] = json!(confirmed);
            bag["execution"] = json!(seen);
        }
    }
    let mut bytes = serde_json::to_vec_pretty(&log).map_err(|e| e.to_string())?;
    bytes.push(b'\n');
    Ok(bytes)
}
