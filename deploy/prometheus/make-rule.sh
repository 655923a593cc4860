#!/usr/bin/env bash
# Says the alerts of alerts.yml as an object for the Prometheus Operator. After a change of alerts.yml:
#
#   deploy/prometheus/make-rule.sh > deploy/kubernetes/alerts/alerts.yaml
#
# Kustomize cannot take them from there by itself; the build checks that both say the same.
set -euo pipefail

cat <<'YAML'
# Made of deploy/prometheus/alerts.yml by deploy/prometheus/make-rule.sh: change it there.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: onceflow
spec:
YAML
# Comments and all, two to the right; empty lines stay empty.
sed 's/^./  &/' "$(dirname "${BASH_SOURCE[0]}")/alerts.yml"
